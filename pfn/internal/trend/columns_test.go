package trend

import (
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/pfnamp/pfnamp/internal/matrix"
)

// Slopes are those of finite differences.
func TestSlopes(t *testing.T) {
	const step = 1e-5
	z, y := linearTable(30, 3, 0)
	for _, s := range append(others, usual) {
		c, centres := kernel{[]float64{0.5, 0.3, 0.2}, s}, z.Span(20, 30)
		f := func(row []float64) float64 {
			at := matrix.Matrix{Rows: 1, Cols: 3, Data: row}
			return floats.Dot(c.values(at, centres).Data, y[20:])
		}
		got := c.slopes(z.Span(0, 20), centres, y[20:])
		for i := range 20 {
			for j := range 3 {
				up, down := slices.Clone(z.Row(i)), slices.Clone(z.Row(i))
				up[j] += step
				down[j] -= step
				if want := (f(up) - f(down)) / (2 * step); math.Abs(got.Row(i)[j]-want) > 1e-7 {
					t.Errorf("row %d, column %d: %g, by differences %g", i, j, got.Row(i)[j], want)
				}
			}
		}
	}
}

// Columns weigh as much as the target depends on them, along whichever axes; without any slope all
// weigh the same.
func TestColumnsWeigh(t *testing.T) {
	z, _ := linearTable(200, 4, 0)
	y := z.Column(nil, 2)
	for i, v := range y {
		y[i] = math.Cos(2*v) + 0.3*z.Row(i)[0]
	}
	c, _ := suitedColumns(z, [][]float64{scores(y)})
	w := slices.Clone(c.weights)
	for j := range w {
		for k := 0; c.axes != nil && k < 4; k++ {
			w[j] += c.weights[k]*c.axes.At(j, k)*c.axes.At(j, k) - c.weights[j]/4
		}
	}
	if math.Abs(floats.Sum(w)-1) > 1e-9 || w[2] < 0.6 || w[0] < max(w[1], w[3]) ||
		min(w[1], w[3]) < 0.01 {
		t.Errorf("weights %.3f", w)
	}
	none, left := suitedColumns(z, [][]float64{make([]float64, 200)})
	if floats.Max(none.weights)-floats.Min(none.weights) > 1e-12 || left != 0 {
		t.Errorf("weights without a slope %.3f", none.weights)
	}
}

// Columns are turned to the direction that alone matters, unless rows are few.
func TestColumnsTurn(t *testing.T) {
	z, _ := linearTable(300, 4, 0)
	direction := []float64{0.5, 0.5, -0.5, 0.5}
	y := make([]float64, 300)
	for i := range y {
		y[i] = math.Cos(2 * floats.Dot(direction, z.Row(i)))
	}
	y = scores(y)
	c, _ := suitedColumns(z, [][]float64{y})
	if c.axes == nil {
		t.Fatal("columns are not turned")
	}
	if along := floats.Dot(mat.Col(nil, 3, c.axes), direction); math.Abs(along) < 0.99 ||
		c.weights[3] < 0.8 {
		t.Errorf("the last axis and the direction have the product %.3f; weights %.3f", along, c.weights)
	}
	if few, _ := suitedColumns(z.Span(0, 39), [][]float64{y[:39]}); few.axes != nil {
		t.Error("39 rows turn four columns")
	}
}

// The bends of the kernel are as long as those of the target.
func TestColumnsBend(t *testing.T) {
	z, _ := linearTable(300, 1, 0)
	var lengths []float64
	for _, speed := range []float64{6, 0.5} {
		y := z.Column(nil, 0)
		for i, v := range y {
			y[i] = math.Sin(speed * v)
		}
		c, left := suitedColumns(z, [][]float64{scores(y)})
		if lengths = append(lengths, c.length); left > 0.15 {
			t.Errorf("sin %gx: a kernel of length %g leaves %.3f", speed, c.length, left)
		}
	}
	if lengths[0] >= lengths[1] {
		t.Errorf("lengths %g", lengths)
	}
}
