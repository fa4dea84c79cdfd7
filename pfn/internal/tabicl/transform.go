package tabicl

import "github.com/pfnamp/pfnamp/internal/matrix"

// Preset says how an ensemble is composed.
type Preset struct {
	Members   int      // number of members, at least 1
	Norms     []string // None, Power
	Seed      uint64   // seed of the permutations of features and classes
	Threshold float64  // outliers lie further than so many deviations from the centre
	Classes   int      // number of classes, 0 for a regression
	Diagonal  bool     // the next member has the next order and the next norm
	// Trends gives every second member a trend: of a regression it reads what a Trend leaves of the
	// target, of a classifier the Shares of at most maxShares classes.
	Trends bool
}

// Transformer turns feature tables into the input tensors of all members.
type Transformer struct {
	Members []Member

	encoder   *Encoder
	plain     *Pipeline            // of the features alone, with the norm None; nil without trends
	pipelines map[string]*Pipeline // of the features and, of a classifier with trends, the shares
	trend     *Trend               // nil if no member of a regression has one
	shares    *Shares              // nil if no member of a classifier has a trend
}

// Lesson is what members read of the context.
type Lesson struct {
	Rows [][]float32 // of every member [N, width]; its width is that of its permutation
	Left []float32   // target of the members with a trend of a regression
}

// Fit learns from the context rows and their target, standardised or classes. It returns nil if no
// column varies.
func Fit(x matrix.Matrix, categorical []bool, y []float64, preset Preset) (*Transformer, Lesson) {
	encoder := FitEncoder(x, categorical)
	h := encoder.Width()
	if h == 0 {
		return nil, Lesson{}
	}
	preset.Trends = preset.Trends && preset.Members > 1 && preset.Classes <= maxShares
	t := &Transformer{encoder: encoder, pipelines: map[string]*Pipeline{}, Members: preset.compose(h)}
	var left []float32
	rows := encoder.Encode(x)
	if preset.Trends {
		t.plain = FitPipeline(rows, None, preset.Threshold)
		z := t.plain.Apply(rows)
		if preset.Classes == 0 {
			t.trend, left = fitTrend(z, y)
		} else {
			var columns matrix.Matrix
			t.shares, columns = fitShares(z, y, preset.Classes)
			rows = beside(rows, columns)
		}
	}
	for _, m := range t.Members {
		if t.pipelines[m.Norm] == nil {
			t.pipelines[m.Norm] = FitPipeline(rows, m.Norm, preset.Threshold)
		}
	}
	return t, Lesson{t.tensors(rows), left}
}

// HasTrend reports whether a member of a regression has a trend.
func (t *Transformer) HasTrend() bool { return t.trend != nil }

// Trend returns the trend at every row of x, with the mean of what it leaves of the target, and the
// scale of what it leaves.
func (t *Transformer) Trend(x matrix.Matrix) (at []float64, scale float64) {
	return t.trend.at(t.plain.Apply(t.encoder.Encode(x))), t.trend.Scale
}

// Width returns the number H of features that vary.
func (t *Transformer) Width() int { return t.encoder.Width() }

// classes is the number of classes, 0 of a regression.
func (t *Transformer) classes() int { return len(t.Members[0].Classes) }

// Queries returns what every member reads of query rows, [rows, width] each. A member's width is that
// of its permutation.
func (t *Transformer) Queries(x matrix.Matrix) [][]float32 {
	rows := t.encoder.Encode(x)
	if t.shares != nil {
		rows = beside(rows, t.shares.at(t.plain.Apply(rows)))
	}
	return t.tensors(rows)
}

// tensors runs encoded rows through the pipelines of all members.
func (t *Transformer) tensors(rows matrix.Matrix) [][]float32 {
	normed := make(map[string]matrix.Matrix, len(t.pipelines))
	for norm, pipeline := range t.pipelines {
		normed[norm] = pipeline.Apply(rows)
	}
	out := make([][]float32, len(t.Members))
	for b, m := range t.Members {
		src, dst := normed[m.Norm], make([]float32, 0, rows.Rows*len(m.Permutation))
		for i := range rows.Rows {
			row := src.Row(i)
			for _, from := range m.Permutation {
				dst = append(dst, float32(row[from]))
			}
		}
		out[b] = dst
	}
	return out
}
