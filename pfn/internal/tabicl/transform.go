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
	Trends    bool     // every second member reads what a trend leaves of the target
}

// Transformer turns feature tables into the input tensors of all members.
type Transformer struct {
	Members []Member

	encoder   *Encoder
	pipelines map[string]*Pipeline
	trend     *Trend // nil if no member has one
}

// Fit learns from the context rows. It returns nil if no column varies. Call FitTrend next if the
// preset has trends.
func Fit(x matrix.Matrix, categorical []bool, preset Preset) *Transformer {
	encoder := FitEncoder(x, categorical)
	if encoder.Width() == 0 {
		return nil
	}
	t := &Transformer{encoder: encoder, pipelines: map[string]*Pipeline{},
		Members: preset.compose(encoder.Width())}
	encodedRows := encoder.Encode(x)
	fit := func(norm string) {
		if t.pipelines[norm] == nil {
			t.pipelines[norm] = FitPipeline(encodedRows, norm, preset.Threshold)
		}
	}
	for _, m := range t.Members {
		fit(m.Norm)
		if m.Trend {
			fit(None)
		}
	}
	return t
}

// HasTrend reports whether a member reads what a trend leaves of the target.
func (t *Transformer) HasTrend() bool {
	return slices.ContainsFunc(t.Members, func(m Member) bool { return m.Trend })
}

// FitTrend learns the trend of a standardised target y, one value per row of x, and returns what
// members with a trend read of the target.
func (t *Transformer) FitTrend(x matrix.Matrix, y []float64) []float32 {
	trend, target := fitTrend(t.pipelines[None].Apply(t.encoder.Encode(x)), y)
	t.trend = trend
	return target
}

// Trend returns the trend at every row of x, with the mean of what it leaves of the target, and the
// scale of what it leaves.
func (t *Transformer) Trend(x matrix.Matrix) (at []float64, scale float64) {
	at = t.trend.at(t.pipelines[None].Apply(t.encoder.Encode(x)))
	for i := range at {
		at[i] += t.trend.Shift
	}
	return at, t.trend.Scale
}

// Width returns the number H of features that the members read.
func (t *Transformer) Width() int { return t.encoder.Width() }

// Transform returns the tensor [B, rows, H] of all B members for a feature table.
func (t *Transformer) Transform(x matrix.Matrix) []float32 {
	rows, h := x.Rows, t.Width()
	base := t.encoder.Encode(x)
	normed := make(map[string]matrix.Matrix, len(t.pipelines))
	for norm, pipeline := range t.pipelines {
		normed[norm] = pipeline.Apply(base)
	}
	out := make([]float32, len(t.Members)*rows*h)
	for b, m := range t.Members {
		src := normed[m.Norm].Data
		dst := out[b*rows*h : (b+1)*rows*h]
		for i := range rows {
			for j, from := range m.Permutation {
				dst[i*h+j] = float32(src[i*h+from])
			}
		}
	}
	return out
}
