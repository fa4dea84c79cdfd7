package tabicl

import (
	"slices"

	"github.com/pfnamp/pfnamp/internal/matrix"
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
	// at most maxShares classes.
	Trends []string
}

// Transformer turns feature tables into the input tensors of all members.
type Transformer struct {
	Members []Member

	encoder *Encoder
	plain   *Pipeline         // of the features alone, with the norm None; nil without trends
	trends  map[string]*Trend // by kind, those that members have
	reach   *Reach            // of a regression whose trends follow no law; otherwise nil
	// pipelines are by norm, of the features and then the columns of the shares of all kinds.
	pipelines map[string]*Pipeline
}

// kinds are the possible kinds of trends, in the order of their columns.
var kinds = []string{Linear, Kernel}

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
	columns, left := t.fitTrends(rows, y, preset)
	rows = matrix.Beside(append([]matrix.Matrix{rows}, columns...)...)
	for _, m := range t.Members {
		if t.pipelines[m.Norm] == nil {
			t.pipelines[m.Norm] = FitPipeline(rows, m.Norm, preset.Threshold)
		}
	}
	return t, Lesson{t.tensors(rows), left}
}

// fitTrends learns the trends that members have, and returns the columns of the context's shares, or
// what trends of a regression leave of the target. With many rows the kernel's shares take the place of
// lines that leave more.
func (t *Transformer) fitTrends(
	rows matrix.Matrix, y []float64, preset Preset,
) (columns []matrix.Matrix, left map[string][]float32) {
	var z matrix.Matrix
	lineLeft := 0.0
	for _, kind := range kinds {
		if !slices.ContainsFunc(t.Members, func(m Member) bool { return m.Trend == kind }) {
			continue
		}
		if t.plain == nil {
			t.plain, t.trends = preset.plainPipeline(rows, y, kind), map[string]*Trend{}
			z, left = t.plain.Apply(rows), map[string][]float32{}
		}
		if preset.Classes == 0 {
			t.trends[kind], left[kind] = t.fitRegression(kind, z, y)
			if t.trends[kind] == nil {
				t.exchange(Kernel, NoTrend)
			}
			continue
		}
		trend, shares, rest := fitShares(kind, z, y, preset.Classes)
		if kind == Kernel && rows.Rows >= manyRows && rest < shareGain*lineLeft {
			t.exchange(Linear, Kernel)
			columns = nil
		}
		t.trends[kind], columns, lineLeft = trend, append(columns, shares), rest
	}
	return columns, left
}

// fitRegression learns a trend of a regression from features z, and with a kernel how far the context
// reaches. A law goes on beyond it.
func (t *Transformer) fitRegression(kind string, z matrix.Matrix, y []float64) (*Trend, []float32) {
	line := t.trends[Linear]
	if kind == Linear {
		return fitTrend(z, y, nil, nil)
	}
	s := suit(z, y)
	if law := line != nil && line.Scale < lawLeaves; !law {
		t.reach = newReach(z, s.columns, s.left, line)
	}
	return fitTrend(z, y, s, line)
}

// plainPipeline fits the pipeline of the features of trends, the first of which has the given kind.
// Outliers are clipped, unless a line on features that are not leaves nearly nothing of the target: such
// a law is followed as far as it goes.
func (p Preset) plainPipeline(rows matrix.Matrix, y []float64, kind string) *Pipeline {
	if kind == Linear && p.Classes == 0 {
		whole := FitPipeline(rows, None, clipBound)
		if line, _ := fitTrend(whole.Apply(rows), y, nil, nil); line.Scale < lawLeaves {
			return whole
		}
	}
	return FitPipeline(rows, None, p.Threshold)
}

// exchange gives the members with one kind of trend another one.
func (t *Transformer) exchange(kind, other string) {
	delete(t.trends, kind)
	for b := range t.Members {
		if t.Members[b].Trend == kind {
			t.Members[b].Trend = other
		}
	}
}

// HasTrends reports whether members of a regression have trends.
func (t *Transformer) HasTrends() bool { return t.plain != nil && t.classes() == 0 }

// Along are the trends of a regression at query rows, in standardised units of the target.
type Along struct {
	At     map[string][]float64 // by kind and row, with the mean of what they leave of the target
	Scale  map[string]float64   // by kind, of what they leave
	Doubt  []float64            // by row, variances by which that of a kernel may be off; nil without one
	Beyond []Beyond             // by row; nil where trends go on beyond the context
}

// Trends returns the trends of a regression at every row of x.
func (t *Transformer) Trends(x matrix.Matrix) Along {
	a := Along{At: map[string][]float64{}, Scale: map[string]float64{}}
	z := t.plain.Apply(t.encoder.Encode(x))
	held := z
	if t.reach != nil {
		held, a.Beyond = t.reach.hold(z)
	}
	for kind, trend := range t.trends {
		a.At[kind], a.Scale[kind] = trend.at(held).Data, trend.Scale
		if kind == Kernel {
			a.Doubt = trend.doubts(trend.shown(z))
		}
	}
	return a
}

// Width returns the number H of features that vary.
func (t *Transformer) Width() int { return t.encoder.Width() }

// classes is the number of classes, 0 of a regression.
func (t *Transformer) classes() int { return len(t.Members[0].Classes) }

// Queries returns what every member reads of query rows, [rows, width] each. A member's width is that
// of its permutation.
func (t *Transformer) Queries(x matrix.Matrix) [][]float32 {
	rows := t.encoder.Encode(x)
	if t.plain == nil || t.classes() == 0 {
		return t.tensors(rows)
	}
	parts, z := []matrix.Matrix{rows}, t.plain.Apply(rows)
	for _, kind := range kinds {
		if trend := t.trends[kind]; trend != nil {
			parts = append(parts, trend.at(z))
		}
	}
	return t.tensors(matrix.Beside(parts...))
}

// tensors runs encoded rows through the pipelines of all members.
func (t *Transformer) tensors(rows matrix.Matrix) [][]float32 {
	normed := make(map[string]matrix.Matrix, len(t.pipelines))
	for norm, pipeline := range t.pipelines {
		normed[norm] = pipeline.Apply(rows)
	}
	out, h, first := make([][]float32, len(t.Members)), t.Width(), t.firstColumns()
	for b, m := range t.Members {
		src, dst := normed[m.Norm], make([]float32, 0, rows.Rows*len(m.Permutation))
		for i := range rows.Rows {
			row := src.Row(i)
			for _, from := range m.Permutation {
				if from >= h {
					from += first[m.Trend] - h
				}
				dst = append(dst, float32(row[from]))
			}
		}
		out[b] = dst
	}
	return out
}

// firstColumns are the columns where the shares of every kind begin.
func (t *Transformer) firstColumns() map[string]int {
	first, at := map[string]int{}, t.Width()
	for _, kind := range kinds {
		if trend := t.trends[kind]; trend != nil {
			first[kind] = at
			at += len(trend.Offsets)
		}
	}
	return first
}
