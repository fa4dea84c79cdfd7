package tabicl

import "github.com/pfnamp/pfnamp/internal/matrix"

// Preset says how an ensemble is composed.
type Preset struct {
	Members   int      // number of members, at least 1
	Norms     []string // None, Power
	Seed      uint64   // seed of the permutations of features and classes
	Threshold float64  // outliers lie further than so many deviations from the centre
	Classes   int      // number of classes, 0 for a regression
}

// Transformer turns feature tables into the input tensors of all members.
type Transformer struct {
	Members []Member

	encoder   *Encoder
	pipelines map[string]*Pipeline
}

// Fit learns from the context rows. It returns nil if no column varies.
func Fit(x matrix.Matrix, categorical []bool, preset Preset) *Transformer {
	encoder := FitEncoder(x, categorical)
	if encoder.Width() == 0 {
		return nil
	}
	t := &Transformer{encoder: encoder, pipelines: map[string]*Pipeline{},
		Members: preset.compose(encoder.Width())}
	encodedRows := encoder.Encode(x)
	for _, m := range t.Members {
		if t.pipelines[m.Norm] == nil {
			t.pipelines[m.Norm] = FitPipeline(encodedRows, m.Norm, preset.Threshold)
		}
	}
	return t
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
