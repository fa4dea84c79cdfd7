package rows

import (
	"math"

	"github.com/pfnamp/pfnamp/internal/matrix"
)

// Scale is the mean and the standard deviation of a numeric feature over the rows of the context
// that have it. The deviation is 0 if the feature does not vary. Both are 0 for a category.
type Scale struct {
	Center float64 `json:"center"`
	Spread float64 `json:"spread"`
}

// Scales measures the features of a context.
func Scales(x matrix.Matrix, categorical []bool) []Scale {
	scales := make([]Scale, x.Cols)
	for j := range scales {
		if j < len(categorical) && categorical[j] {
			continue
		}
		n, mean, square := 0.0, 0.0, 0.0
		for i := range x.Rows {
			v := x.Data[i*x.Cols+j]
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
