package pfnamp

import (
	"math"

	"github.com/pfnamp/pfnamp/pfn"
	"github.com/pfnamp/pfnamp/tabular"
)

// Scale is the mean and the standard deviation of a numeric feature over the rows of the context
// that have it; the latter is 0 where it does not vary, and both are 0 of a category.
type Scale struct {
	Center float64 `json:"center"`
	Spread float64 `json:"spread"`
}

// scalesOf measures the features of a context.
func scalesOf(t pfn.Training) []Scale {
	scales := make([]Scale, t.X.Cols)
	for j := range scales {
		if j < len(t.Categorical) && t.Categorical[j] {
			continue
		}
		n, mean, square := 0.0, 0.0, 0.0
		for i := range t.X.Rows {
			v := t.X.Data[i*t.X.Cols+j]
			if math.IsNaN(v) || math.IsInf(v, 0) {
				continue
			}
			n++
			step := (v - mean) / n
			square += (v - mean) * (v - mean - step)
			mean += step
		}
		if spread := math.Sqrt(square / n); spread > 0 && spread < math.Inf(1) {
			scales[j] = Scale{mean, spread}
		}
	}
	return scales
}

// varying counts the features that vary: numbers that have a spread and categories of two values or
// more. A state that tells no scales counts all. At least one is counted.
func varying(s *tabular.Schema, scales []Scale) int {
	if len(scales) != s.Width() {
		return max(1, s.Width())
	}
	n := 0
	for j, c := range s.Encoded() {
		if len(c.Categories) > 1 || scales[j].Spread > 0 {
			n++
		}
	}
	return max(1, n)
}

// Varying is the number d of features that vary, on which the published learning rate depends.
func (t *Training) Varying() int { return varying(t.Schema, scalesOf(t.Data)) }

// Varying is the number of features that vary; see [Training.Varying].
func (s *StateSchema) Varying() int { return varying(s.Schema, s.Scales) }

// Scales are those of the features, by which rows are coupled; none of an old state.
func (f *Fitted) Scales() []Scale { return f.scales }

// Varying is the number of features that vary; see [Training.Varying].
func (f *Fitted) Varying() int { return varying(f.schema, f.scales) }
