package tabpfn

import (
	"math"

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

// powers reshapes for the power pipeline: categorical columns, then the transformed numeric ones.
type powers struct {
	numeric []int
	codes   []int
	columns []power
}

func fitPowers(x matrix.Matrix, codes []int) powers {
	p := powers{numeric: others(x.Cols, codes), codes: codes}
	for _, j := range p.numeric {
		p.columns = append(p.columns, fitPower(x.Column(nil, j), false))
	}
	return p
}

func (p powers) apply(x matrix.Matrix) matrix.Matrix {
	shaped := x.Pick(p.numeric)
	for i := range shaped.Rows {
		row := shaped.Row(i)
		for k, v := range row {
			row[k] = p.columns[k].apply(v)
		}
	}
	return matrix.Beside(x.Pick(p.codes), shaped)
}

func (p powers) categorical() []int { return indices(len(p.codes)) }
