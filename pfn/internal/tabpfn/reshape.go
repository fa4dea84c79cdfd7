package tabpfn

import (
	"math"
	"slices"
	"strings"

	"github.com/pfnamp/pfnamp/internal/matrix"
)

var nan = math.NaN()

// columnTransform maps the values of one column; missing may stay missing.
type columnTransform func(v float64) float64

// shaped reshapes the features of a pipeline: unchanged columns, then transformed ones, then
// components of both.
type shaped struct {
	kept       []int // columns that stay
	changed    []int // columns that are transformed
	transform  []columnTransform
	codes      []int       // categorical columns of the result, which keep their values
	components *components // or nil
}

// fitShaped fits the context rows. With "numeric", categorical columns are transformed like the
// others and come before them; otherwise they stay, in front. If the transformed columns are
// appended, all columns stay in front of them.
func fitShaped(i ingredients, x matrix.Matrix, codes []int) shaped {
	numeric := i.Categories == "numeric"
	s := shaped{changed: others(x.Cols, codes)}
	if numeric {
		s.changed = slices.Concat(codes, s.changed)
	}
	switch {
	case i.appends(x.Cols):
		s.kept, s.codes = matrix.Upto(x.Cols), codes
	case !numeric:
		s.kept, s.codes = codes, matrix.Upto(len(codes))
	}
	for _, j := range s.changed {
		s.transform = append(s.transform, fitTransform(i.Transform, x.Column(nil, j)))
	}
	return s
}

// mostQuantiles limits the quantiles of a column: a fifth of scikit-learn's sample.
const mostQuantiles = 20_000

func fitTransform(name string, values []float64) columnTransform {
	count := len(values) / 5
	plain, coarse := strings.CutSuffix(name, "_coarse")
	plain, fine := strings.CutSuffix(plain, "_fine")
	if coarse {
		count = len(values) / 10
	} else if fine {
		count = len(values)
	}
	count = min(max(count, 2), mostQuantiles)
	switch plain {
	case "quantile_uni":
		return fitPosition(values, count).apply
	case "quantile_uni_extrapolate":
		return fitStretched(values, count)
	case "quantile_norm":
		return fitPosition(values, count).normal
	case "safepower", string(Power):
		return fitPower(values, name == "safepower").apply
	case "robust":
		return fitRobust(values)
	case "squashing_scaler_default":
		return fitSquash(values, 3)
	case "squashing_scaler_max10":
		return fitSquash(values, 10)
	}
	return unchanged
}

func unchanged(v float64) float64 { return v }

func (s shaped) apply(x matrix.Matrix) matrix.Matrix {
	made := x.Pick(s.changed)
	for i := range made.Rows {
		row := made.Row(i)
		for k, v := range row {
			row[k] = s.transform[k](v)
		}
	}
	made = matrix.Beside(x.Pick(s.kept), made)
	if s.components == nil {
		return made
	}
	return matrix.Beside(made, s.components.apply(made))
}
