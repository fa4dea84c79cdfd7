package tabicl

import (
	"slices"

	"github.com/pfnamp/pfnamp/distr"
	"github.com/pfnamp/pfnamp/internal/matrix"
	content "github.com/pfnamp/pfnamp/internal/rows"
	"github.com/pfnamp/pfnamp/models"
	"github.com/pfnamp/pfnamp/pfn/internal/trend"
)

// Preset describes the composition of an ensemble. A classifier with trends has at most
// trend.MaxClasses classes.
type Preset struct {
	models.Ensemble         // of the bundle, with the number of members that are wanted
	Classes         int     // number of classes, 0 for a regression
	Own             bool    // bends outliers, and numbers classes by content, which no package does
	Told            float64 // what trees leave of the classes' shares, root mean square; 0 without
}

// Transformer turns feature tables into the input tensors of all members.
type Transformer struct {
	Members []Member
	Shares  []float64 // of the classes among the context rows, for networks of this project

	encoder *Encoder
	plain   *Pipeline // for the features of trends, with the norm None; nil without trends
	trends  trend.Set // trends of the members
	// pipelines, by norm, for the features and then the columns of the shares of all trends.
	pipelines map[string]*Pipeline
}

// Lesson is the input of the members from the context.
type Lesson struct {
	Rows [][]float32          // of every member [N, width]; see Permutation for the width
	Left map[string][]float32 // target of a regression's members with a trend, by its kind
}

// Fit fits a transformer to the context rows and their target, standardised or classes. It returns
// nil if no column varies.
func Fit(x matrix.Matrix, categorical []bool, y []float64, preset Preset) (*Transformer, Lesson) {
	encoder := FitEncoder(x, categorical, preset.Own)
	h := encoder.Width()
	if h == 0 {
		return nil, Lesson{}
	}
	t := &Transformer{encoder: encoder, pipelines: map[string]*Pipeline{}, Members: preset.compose(h)}
	var places []int
	if preset.Classes > 0 && preset.Own {
		t.Shares = distr.Shares(y, preset.Classes)
		places = content.Classes(x, categorical, y, preset.Classes)
		y = content.Renumbered(y, places)
		for b, m := range t.Members {
			t.Members[b].Classes = make([]int, preset.Classes)
			for k, place := range places {
				t.Members[b].Classes[k] = m.Classes[place]
			}
		}
	}
	rows := encoder.Encode(x)
	lesson := t.fitTrends(rows, y, preset)
	t.trends.Renumber(places)
	rows = beside(rows, lesson.Shares)
	for _, m := range t.Members {
		if t.pipelines[m.Norm] == nil {
			t.pipelines[m.Norm] = FitPipeline(rows, m.Norm, preset.OutlierThreshold, encoder.bends)
		}
	}
	return t, Lesson{t.tensors(rows), lesson.Left}
}

// fitTrends fits the members' trends, and returns their part of the members' input.
func (t *Transformer) fitTrends(rows matrix.Matrix, y []float64, preset Preset) trend.Lesson {
	var kinds []string
	for _, m := range t.Members {
		if m.Trend != trend.None {
			kinds = append(kinds, m.Trend)
		}
	}
	if kinds == nil {
		return trend.Lesson{}
	}
	t.plain = preset.plainPipeline(rows, y, slices.Contains(kinds, trend.Linear), t.encoder.bends)
	features := trend.Features{Matrix: t.plain.Apply(rows), Words: t.encoder.words,
		Sure: !preset.Own, Told: preset.Told}
	around, lesson := trend.Fit(kinds, features, y, preset.Classes)
	t.trends = around
	for b, m := range t.Members {
		if other, ok := lesson.Instead[m.Trend]; ok {
			t.Members[b].Trend = other
		}
	}
	return lesson
}

// straightGain is the part of a line's residual on bent features below which a line on unbent ones
// must be.
const straightGain = 0.98

// plainPipeline fits the pipeline for the features of trends; lines reports whether some are
// linear. It bends and clips outliers, unless a line on unbent and unclipped features leaves hardly
// any residual: then the line continues without limit. Features stay unbent if that leaves less of
// the target.
func (p Preset) plainPipeline(rows matrix.Matrix, y []float64, lines bool, b []bend) *Pipeline {
	bent := FitPipeline(rows, None, p.OutlierThreshold, b)
	if !lines || p.Classes > 0 {
		return bent
	}
	if whole := FitPipeline(rows, None, clipBound, nil); trend.Law(whole.Apply(rows), y) {
		return whole
	}
	if !slices.ContainsFunc(b, func(b bend) bool { return b != (bend{}) }) {
		return bent
	}
	straight := FitPipeline(rows, None, p.OutlierThreshold, nil)
	if trend.Left(straight.Apply(rows), y) < straightGain*trend.Left(bent.Apply(rows), y) {
		return straight
	}
	return bent
}

// HasTrends reports whether members of a regression have trends.
func (t *Transformer) HasTrends() bool { return t.plain != nil && t.classes() == 0 }

// Trends returns the trends of a regression at every row of x.
func (t *Transformer) Trends(x matrix.Matrix) trend.Along {
	return t.trends.Along(t.plain.Apply(t.encoder.Encode(x)))
}

// Odds returns what the trends of a classifier say beside its members at every row of x: log odds,
// [rows, K or 1], without columns if there are none, and their share beside the members; and the
// doubts about levels, nil without.
func (t *Transformer) Odds(x matrix.Matrix) (odds matrix.Matrix, share float64, doubts []float64) {
	levels := t.trends.Doubted()
	if levels == nil && t.trends.By[trend.Odds] == nil {
		return matrix.New(x.Rows, 0), 0, nil
	}
	z := t.plain.Apply(t.encoder.Encode(x))
	if levels != nil {
		doubts = levels.Variances(z)
	}
	odds, share = t.trends.LogOdds(z)
	return odds, share, doubts
}

// Width returns the number H of features that vary.
func (t *Transformer) Width() int { return t.encoder.Width() }

func (t *Transformer) classes() int { return len(t.Members[0].Classes) }

// Queries returns query rows in the form of every member, [rows, width] each. The width is that of
// the member's permutation.
func (t *Transformer) Queries(x matrix.Matrix) [][]float32 {
	rows := t.encoder.Encode(x)
	if t.plain == nil || t.classes() == 0 {
		return t.tensors(rows)
	}
	return t.tensors(beside(rows, t.trends.Shares(t.plain.Apply(rows))))
}

// beside returns rows with shares after the features.
func beside(rows matrix.Matrix, shares []matrix.Matrix) matrix.Matrix {
	return matrix.Beside(append([]matrix.Matrix{rows}, shares...)...)
}

// tensors runs encoded rows, with shares beside them, through the pipelines of all members.
func (t *Transformer) tensors(rows matrix.Matrix) [][]float32 {
	normed := make(map[string]matrix.Matrix, len(t.pipelines))
	for norm, pipeline := range t.pipelines {
		normed[norm] = pipeline.Apply(rows)
	}
	out, h := make([][]float32, len(t.Members)), t.Width()
	for b, m := range t.Members {
		src, dst := normed[m.Norm], make([]float32, 0, rows.Rows*len(m.Permutation))
		before := t.trends.Before(m.Trend)
		for i := range rows.Rows {
			row := src.Row(i)
			for _, from := range m.Permutation {
				if from >= h {
					from += before
				}
				dst = append(dst, float32(row[from]))
			}
		}
		out[b] = dst
	}
	return out
}

// Left returns the smallest deviation of what a trend of a regression leaves of the standardised
// target; 1 without trends.
func (t *Transformer) Left() float64 {
	left := 1.0
	for _, trend := range t.trends.By {
		left = min(left, trend.Scale)
	}
	return left
}
