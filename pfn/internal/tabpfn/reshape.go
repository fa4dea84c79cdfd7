package tabpfn

import (
	"math"
	"slices"

	"github.com/pfnamp/pfnamp/internal/matrix"
)

var nan = math.NaN()

// A reshaper transforms the features of one pipeline. Categorical columns keep their values.
type reshaper interface {
	apply(x matrix.Matrix) matrix.Matrix
	categorical() []int // categorical columns of the result
}

// positions reshapes for the quantile pipeline: all columns, then the positions of the numeric ones
// among their quantiles, then components of all these columns.
type positions struct {
	numeric    []int
	codes      []int // categorical columns
	columns    []position
	components *components
}

// fitPositions fits the N context rows of F columns. A column has one quantile per rowsPerQuantile
// rows, at least two. There are min(N/10 + 1, F/2) components, at least one, and none for a single
// column.
func fitPositions(x matrix.Matrix, codes []int, rowsPerQuantile int) positions {
	p := positions{numeric: others(x.Cols, codes), codes: codes}
	for _, j := range p.numeric {
		p.columns = append(p.columns, fitPosition(x.Column(nil, j), max(x.Rows/rowsPerQuantile, 2)))
	}
	if x.Cols >= 2 {
		k := max(1, min(x.Rows/10+1, x.Cols/2))
		p.components = fitComponents(p.spread(x), k)
	}
	return p
}

// spread returns the result without the components.
func (p positions) spread(x matrix.Matrix) matrix.Matrix {
	placed := x.Pick(p.numeric)
	for i := range placed.Rows {
		row := placed.Row(i)
		for k, v := range row {
			row[k] = p.columns[k].apply(v)
		}
	}
	return matrix.Beside(x, placed)
}

func (p positions) apply(x matrix.Matrix) matrix.Matrix {
	spread := p.spread(x)
	if p.components == nil {
		return spread
	}
	return matrix.Beside(spread, p.components.apply(spread))
}

func (p positions) categorical() []int { return p.codes }

// fitPowers fits the power pipeline: categorical columns, then the transformed numeric ones.
func fitPowers(x matrix.Matrix, codes []int) shaped {
	s := shaped{kept: codes, changed: others(x.Cols, codes), codes: indices(len(codes))}
	for _, j := range s.changed {
		s.transform = append(s.transform, fitPower(x.Column(nil, j), false))
	}
	return s
}

// shaped has unchanged columns, then transformed ones, as package 8.4.0 makes them.
type shaped struct {
	kept      []int // columns that stay
	changed   []int // columns that are transformed
	transform []columnTransform
	codes     []int // categorical columns of the result
}

// columnTransform maps the values of one column; missing may stay missing.
type columnTransform interface{ apply(v float64) float64 }

// identity is the transform "none".
type identity struct{}

func (identity) apply(v float64) float64 { return v }

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
		s.kept, s.codes = indices(x.Cols), codes
	case !numeric:
		s.kept, s.codes = codes, indices(len(codes))
	}
	for _, j := range s.changed {
		s.transform = append(s.transform, fitTransform(i.Transform, x.Column(nil, j)))
	}
	return s
}

// mostQuantiles limits the quantiles of a column: a fifth of scikit-learn's sample.
const mostQuantiles = 20_000

// fitTransform fits the transform with this name in the reference.
func fitTransform(name string, values []float64) columnTransform {
	n := len(values)
	plain, coarse := min(max(n/5, 2), mostQuantiles), min(max(n/10, 2), mostQuantiles)
	fine := min(n, mostQuantiles)
	switch name {
	case "quantile_uni":
		return fitPosition(values, plain)
	case "quantile_uni_coarse":
		return fitPosition(values, coarse)
	case "quantile_uni_fine":
		return fitPosition(values, fine)
	case "quantile_uni_extrapolate":
		return fitStretched(values, plain)
	case "quantile_norm":
		return normalPosition{fitPosition(values, plain)}
	case "quantile_norm_coarse":
		return normalPosition{fitPosition(values, coarse)}
	case "quantile_norm_fine":
		return normalPosition{fitPosition(values, fine)}
	case "safepower":
		return fitPower(values, true)
	case "robust":
		return fitRobust(values)
	case "squashing_scaler_default":
		return fitSquash(values, 3)
	case "squashing_scaler_max10":
		return fitSquash(values, 10)
	}
	return identity{}
}

func (s shaped) apply(x matrix.Matrix) matrix.Matrix {
	made := x.Pick(s.changed)
	for i := range made.Rows {
		row := made.Row(i)
		for k, v := range row {
			row[k] = s.transform[k].apply(v)
		}
	}
	return matrix.Beside(x.Pick(s.kept), made)
}

func (s shaped) categorical() []int { return s.codes }
