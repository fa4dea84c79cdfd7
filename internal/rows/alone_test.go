package rows

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/pfnamp/pfnamp/internal/matrix"
)

// A column that holds the target in another form is found; a strong feature, a class that values
// separate, and few rows are not.
func TestAlone(t *testing.T) {
	for _, c := range []struct {
		name        string
		rows        int
		copied      func(y float64) float64
		categorical bool
		labels      bool
		want        int
	}{
		{"another unit", 40, func(y float64) float64 { return 1.8*y + 32 }, false, false, 1},
		{"rounded", 40, func(y float64) float64 { return math.Round(100*(32-1.8*y)) / 100 }, false, false,
			1},
		{"a rising function", 700, math.Exp, false, false, 1},
		{"a function that folds", 40, math.Abs, false, false, -1},
		{"a strong feature", 40, func(y float64) float64 { return y + 0.1*math.Sin(999*y) }, false, false,
			-1},
		{"few rows", 5, func(y float64) float64 { return -y }, false, false, -1},
		{"codes of labels", 40, func(y float64) float64 { return math.Mod(y+2, 3) }, true, true, 1},
		{"some of the labels", 40, func(y float64) float64 { return math.Floor(y / 2) }, true, true,
			-1},
		{"filled for one label", 60, only(7, 2), false, true, 1},
		{"a category for one label", 60, only(7, 2), true, true, 1},
		{"filled for two labels", 60, only(7, 1, 2), false, true, -1},
		{"filled for one label in few rows", 20, only(7, 2), false, true, -1},
		{"missing", 40, func(y float64) float64 { return math.NaN() }, false, false, -1},
	} {
		r := rand.New(rand.NewPCG(2, 1))
		x, y := matrix.New(c.rows, 2), make([]float64, c.rows)
		for i := range y {
			if y[i] = r.NormFloat64(); c.labels {
				y[i] = float64(r.IntN(3))
			}
			x.Data[2*i], x.Data[2*i+1] = y[i]+r.NormFloat64()/3, c.copied(y[i])
		}
		got := Alone(x, []bool{false, c.categorical}, y, c.labels)
		if found := c.want >= 0; len(got) == 1 != found || found && got[0] != c.want {
			t.Errorf("%s: columns %d, want %d", c.name, got, c.want)
		}
	}
}

// Two columns that make the target are found, whatever makes it; not what leaves a
// thousandth, and not what chance makes of small numbers in few rows.
func TestPair(t *testing.T) {
	for name, of := range map[string]func(a, b, e float64) float64{
		"sum":     func(a, b, _ float64) float64 { return a + b },
		"age":     func(a, b, _ float64) float64 { return b - a },
		"product": func(a, b, _ float64) float64 { return a * b },
		"rate":    func(a, b, _ float64) float64 { return math.Round(1e4*a/b) / 100 },
		"inverse": func(a, b, _ float64) float64 { return b / a },
		"-a rest": func(a, b, e float64) float64 { return a + b + e },
		"-chance": func(_, _, _ float64) float64 { return 0 },
	} {
		r := rand.New(rand.NewPCG(3, 1))
		x, y := matrix.New(200, 40), make([]float64, 200)
		for i := range x.Data {
			x.Data[i] = math.Round(100*r.Float64()) + 3
		}
		for i := range y {
			y[i] = of(x.Data[40*i+7], x.Data[40*i+31], r.NormFloat64())
		}
		if name == "-chance" { // a target of few numbers in few rows
			x, y = x.Span(0, 12), y[:12]
			for i := range y {
				y[i] = float64(i % 2)
			}
			for i := range x.Data {
				x.Data[i] = float64(r.IntN(2))
			}
		}
		want := []int{7, 31}
		if name[0] == '-' {
			want = nil
		}
		if got := Alone(x, nil, y, false); !slices.Equal(got, want) {
			t.Errorf("%s: columns %v, want %v", name, got, want)
		}
	}
}

// only is a function that is v for some targets and missing for others.
func only(v float64, of ...float64) func(float64) float64 {
	return func(y float64) float64 {
		if slices.Contains(of, y) {
			return v
		}
		return math.NaN()
	}
}
