package tabicl

import (
	"slices"

	"github.com/pfnamp/pfnamp/internal/matrix"
	"github.com/pfnamp/pfnamp/pfn/internal/trend"
)

// Preset says how an ensemble is composed.
type Preset struct {
	Members   int      // number of members, at least 1
	Norms     []string // None, Power
	Seed      uint64   // seed of the permutations of features and classes
	Threshold float64  // outliers lie further than so many deviations from the centre
	Classes   int      // number of classes, 0 for a regression
	Diagonal  bool     // the next member has the next order and the next norm
	// Trends are the kinds of the members' trends in turn; nil for none. Those of a classifier are of
	// at most trend.MaxClasses classes.
	Trends []string
}

// Transformer turns feature tables into the input tensors of all members.
type Transformer struct {
	Members []Member

	encoder *Encoder
	plain   *Pipeline // of the features of trends, with the norm None; nil without trends
	trends  trend.Set // those that members have
	// pipelines are by norm, of the features and then the columns of the shares of all trends.
	pipelines map[string]*Pipeline
}

// Lesson is what members read of the context.
type Lesson struct {
	Rows [][]float32          // of every member [N, width]; its width is that of its permutation
	Left map[string][]float32 // target of the members of a regression with a trend, by its kind
}

// Fit learns from the context rows and their target, standardised or classes. It returns nil if no
// column varies.
func Fit(x matrix.Matrix, categorical []bool, y []float64, preset Preset) (*Transformer, Lesson) {
	encoder := FitEncoder(x, categorical)
	h := encoder.Width()
	if h == 0 {
		return nil, Lesson{}
	}
	t := &Transformer{encoder: encoder, pipelines: map[string]*Pipeline{}, Members: preset.compose(h)}
	rows := encoder.Encode(x)
	lesson := t.fitTrends(rows, y, preset)
	rows = beside(rows, lesson.Shares)
	for _, m := range t.Members {
		if t.pipelines[m.Norm] == nil {
			t.pipelines[m.Norm] = FitPipeline(rows, m.Norm, preset.Threshold)
		}
	}
	return t, Lesson{t.tensors(rows), lesson.Left}
}

// fitTrends learns the trends that members have, and returns what those read of them.
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
	t.plain = preset.plainPipeline(rows, y, slices.Contains(kinds, trend.Linear))
	features := trend.Features{Matrix: t.plain.Apply(rows), Words: t.encoder.words}
	around, lesson := trend.Fit(kinds, features, y, preset.Classes)
	t.trends = around
	for b, m := range t.Members {
		if other, ok := lesson.Instead[m.Trend]; ok {
			t.Members[b].Trend = other
		}
	}
	return lesson
}

// plainPipeline fits the pipeline of the features of trends, of which there may be lines. Outliers
// are clipped, unless a line on features that are not leaves nearly nothing of the target: such a
// law is followed as far as it goes.
func (p Preset) plainPipeline(rows matrix.Matrix, y []float64, lines bool) *Pipeline {
	if lines && p.Classes == 0 {
		if whole := FitPipeline(rows, None, clipBound); trend.Law(whole.Apply(rows), y) {
			return whole
		}
	}
	return FitPipeline(rows, None, p.Threshold)
}

// HasTrends reports whether members of a regression have trends.
func (t *Transformer) HasTrends() bool { return t.plain != nil && t.classes() == 0 }

// Trends returns the trends of a regression at every row of x.
func (t *Transformer) Trends(x matrix.Matrix) trend.Along {
	return t.trends.Along(t.plain.Apply(t.encoder.Encode(x)))
}

// Width returns the number H of features that vary.
func (t *Transformer) Width() int { return t.encoder.Width() }

// classes is the number of classes, 0 of a regression.
func (t *Transformer) classes() int { return len(t.Members[0].Classes) }

// Queries returns what every member reads of query rows, [rows, width] each. A member's width is
// that of its permutation.
func (t *Transformer) Queries(x matrix.Matrix) [][]float32 {
	rows := t.encoder.Encode(x)
	if t.plain == nil || t.classes() == 0 {
		return t.tensors(rows)
	}
	return t.tensors(beside(rows, t.trends.Shares(t.plain.Apply(rows))))
}

// beside are rows with shares after the features.
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
