package kriging

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/pfnamp/pfnamp/internal/matrix"
	"github.com/pfnamp/pfnamp/internal/must"
	"github.com/pfnamp/pfnamp/internal/rows"
)

// table is a matrix of rows.
func table(rows ...[]float64) matrix.Matrix {
	m := matrix.New(len(rows), len(rows[0]))
	for i, row := range rows {
		copy(m.Row(i), row)
	}
	return m
}

// mixed are rows with numbers, a category of three levels and missing cells, with targets.
func mixed(n int, seed uint64) (matrix.Matrix, []float64) {
	random := rand.New(rand.NewPCG(seed, 1))
	x, y := matrix.New(n, 3), make([]float64, n)
	for i := range n {
		row := x.Row(i)
		row[0], row[1], row[2] = random.Float64(), random.Float64(), float64(random.IntN(3))
		y[i] = math.Sin(5*row[0]) + row[2]*row[1] + 0.05*random.NormFloat64()
		if i%7 == 0 {
			row[1] = math.NaN()
		}
		if i%11 == 5 {
			row[2] = math.NaN()
		}
	}
	return x, y
}

var kinds = []bool{false, false, true}

// The gradient is that of the value.
func TestGradient(t *testing.T) {
	x, y := mixed(25, 1)
	s := NewSpace(x, kinds)
	e := newEvidence(s, s.places(x), y)
	at := start(s.lengths)
	for j := range at {
		at[j] += 0.3 * float64(j%3)
	}
	e.of(at)
	gradient := e.gradient
	for j := range at {
		const step = 1e-5
		value := func(by float64) float64 {
			moved := append(settings{}, at...)
			moved[j] += by
			return e.of(moved)
		}
		want := (value(step) - value(-step)) / (2 * step)
		if math.Abs(gradient[j]-want) > 1e-5*(1+math.Abs(want)) {
			t.Errorf("setting %d: %v, differences say %v", j, gradient[j], want)
		}
	}
}

// The posterior is that of conditioning a joint normal distribution, term by term.
func TestPosterior(t *testing.T) {
	x, y := mixed(12, 2)
	queries, _ := mixed(5, 3)
	p := Fit(NewSpace(x, kinds), x, y)
	q := p.At(queries)
	n := len(y)
	k, targets := mat.NewDense(n, n, nil), mat.NewVecDense(n, nil)
	for a, row := range rows.Order(x, y) {
		targets.SetVec(a, (y[row]-p.center)/p.unit)
		for b := range n {
			k.Set(a, b, p.covariance(p.places[a], p.places[b]))
		}
		k.Set(a, a, k.At(a, a)+p.noise+jitter)
	}
	var inverse mat.Dense
	must.Succeed(t, inverse.Inverse(k))
	for i := range queries.Rows {
		for j := range queries.Rows {
			mean, covariance := 0.0, p.covariance(q.places[i], q.places[j])
			for a := range n {
				ka := p.covariance(q.places[i], p.places[a])
				for b := range n {
					mean += ka * inverse.At(a, b) * targets.AtVec(b)
					covariance -= ka * inverse.At(a, b) * p.covariance(p.places[b], q.places[j])
				}
			}
			if got, want := q.Mean[i], p.center+p.unit*mean; math.Abs(got-want) > 1e-6 {
				t.Errorf("row %d: mean %v, want %v", i, got, want)
			}
			if got, want := q.Covariance(i, j), p.unit*p.unit*covariance; math.Abs(got-want) > 1e-6 {
				t.Errorf("rows %d, %d: covariance %v, want %v", i, j, got, want)
			}
		}
		if got := q.Spread[i] * q.Spread[i]; math.Abs(got-q.Covariance(i, i)) > 1e-9 {
			t.Errorf("row %d: spread² %v, variance %v", i, got, q.Covariance(i, i))
		}
	}
}

// A smooth function of numbers and a category is found from 60 rows, with honest spreads.
func TestPredicts(t *testing.T) {
	all, y := mixed(160, 4)
	p := Fit(NewSpace(all, kinds), all.Span(0, 60), y[:60])
	q := p.At(all.Span(60, 160))
	squares, inside := 0.0, 0
	for i, mean := range q.Mean {
		gap := y[60+i] - mean
		squares += gap * gap / 100
		if math.Abs(gap) < 1.645*math.Hypot(q.Spread[i], p.Noise()) {
			inside++
		}
	}
	if rmse := math.Sqrt(squares); rmse > 0.35 {
		t.Errorf("error %v", rmse)
	}
	if inside < 80 {
		t.Errorf("%d of 100 labels in 90 %% intervals", inside)
	}
}

// Processes under drawn settings differ, and all know the rows that they have read. The same seed
// draws the same, and a large table has one process.
func TestDraws(t *testing.T) {
	x, y := mixed(30, 6)
	s := NewSpace(x, kinds)
	all, again := Draws(s, x, y, 4, 1), Draws(s, x, y, 4, 1)
	if len(all) != 4 {
		t.Fatalf("%d processes", len(all))
	}
	noises := map[float64]bool{}
	for k, p := range all {
		noises[p.Noise()] = true
		q, same := p.At(x), again[k].At(x)
		for i, mean := range q.Mean {
			if gap := math.Abs(mean - y[i]); gap > 5*math.Hypot(p.Noise(), q.Spread[i]) {
				t.Errorf("process %d, row %d: %v, label %v", k, i, mean, y[i])
			}
			if same.Mean[i] != mean || same.Spread[i] != q.Spread[i] {
				t.Errorf("process %d, row %d: another result of the same seed", k, i)
			}
		}
	}
	if len(noises) != 4 {
		t.Errorf("%d different processes", len(noises))
	}
	x, y = mixed(mostDrawn+1, 7)
	if all := Draws(NewSpace(x, kinds), x, y, 4, 1); len(all) != 1 {
		t.Errorf("%d processes of %d rows", len(all), x.Rows)
	}
}

// The order of rows changes no bit.
func TestOrder(t *testing.T) {
	x, y := mixed(40, 8)
	order := rand.New(rand.NewPCG(9, 9)).Perm(40)
	turned := make([]float64, 40)
	for to, from := range order {
		turned[to] = y[from]
	}
	queries, _ := mixed(10, 10)
	first := Draws(NewSpace(x, kinds), x, y, 2, 1)[1].At(queries)
	other := Draws(NewSpace(x.Take(order), kinds), x.Take(order), turned, 2, 1)[1].At(queries)
	for i := range queries.Rows {
		if first.Mean[i] != other.Mean[i] || first.Spread[i] != other.Spread[i] {
			t.Errorf("row %d: %v ± %v, and %v ± %v", i, first.Mean[i], first.Spread[i], other.Mean[i],
				other.Spread[i])
		}
	}
}

// The chain draws from the posterior: with lengths held by few rows, the logarithm of s² of targets
// that are noise alone has the mean and spread that a grid gives.
func TestChain(t *testing.T) {
	x, y := table([]float64{0}, []float64{0.4}, []float64{1}), []float64{1, -1, 0.2}
	s := NewSpace(x, []bool{false})
	e := newEvidence(s, s.places(x), y)
	var total, sum, squares float64
	for a := -5.0; a <= 5; a += 0.25 {
		for b := -5.0; b <= 5; b += 0.25 {
			for c := -13.0; c <= 3; c += 0.5 {
				e.weigh(settings{a, b, c})
				density := math.Exp(-e.value)
				total += density
				sum += density * b
				squares += density * b * b
			}
		}
	}
	mean := sum / total
	spread := math.Sqrt(squares/total - mean*mean)
	c := &chain{evidence: e, at: start(s.lengths), random: rand.New(rand.NewPCG(1, 1))}
	c.start()
	const sweeps = 4000
	sum, squares = 0, 0
	for range sweeps {
		c.sweep()
		sum += c.at[1] / sweeps
		squares += c.at[1] * c.at[1] / sweeps
	}
	if drawn := math.Sqrt(squares - sum*sum); math.Abs(sum-mean) > 0.1 ||
		math.Abs(drawn-spread) > 0.1 {
		t.Errorf("drawn %v ± %v, want %v ± %v", sum, drawn, mean, spread)
	}
}

// More rows than settings are found by, and than are conditioned on, give finite answers.
func TestManyRows(t *testing.T) {
	x, y := mixed(mostRows+100, 5)
	q := Fit(NewSpace(x, kinds), x, y).At(x.Span(0, 50))
	squares := 0.0
	for i := range 50 {
		if !(q.Spread[i] >= 0) || math.IsInf(q.Spread[i], 0) {
			t.Errorf("row %d: spread %v", i, q.Spread[i])
		}
		squares += (y[i] - q.Mean[i]) * (y[i] - q.Mean[i]) / 50
	}
	if rmse := math.Sqrt(squares); rmse > 0.35 {
		t.Errorf("error %v", rmse)
	}
}

// Tables that say nothing are answered by their mean.
func TestNothingToLearn(t *testing.T) {
	for name, x := range map[string]matrix.Matrix{
		"equal rows": table([]float64{1, 2, 0}, []float64{1, 2, 0}, []float64{1, 2, 0}),
		"no cells":   table([]float64{math.NaN(), math.NaN(), math.NaN()}, []float64{1, 2, 0}),
		"one row":    table([]float64{1, 2, 0}),
		"huge numbers": table([]float64{1.7e308, 2, 0},
			[]float64{-1.7e308, 3, 0}, []float64{-1.7e308, 4, 0}),
		"equal labels": table([]float64{1, 2, 0}, []float64{5, 7, 1}, []float64{1, 3, 2}),
	} {
		y := make([]float64, x.Rows)
		for i := range y {
			y[i] = 3
		}
		q := Fit(NewSpace(x, kinds), x, y).At(x)
		for i := range x.Rows {
			if math.Abs(q.Mean[i]-3) > 1e-6 || !(q.Spread[i] >= 0) {
				t.Errorf("%s, row %d: %v ± %v", name, i, q.Mean[i], q.Spread[i])
			}
		}
	}
}

// A column of zeros and missing cells tells the two apart, as other columns with missing cells do.
func TestMissingOrZero(t *testing.T) {
	x := table([]float64{0}, []float64{math.NaN()}, []float64{0}, []float64{math.NaN()})
	s := NewSpace(x, nil)
	if known, missing := s.place(x.Row(0)), s.place(x.Row(1)); slices.Equal(known, missing) {
		t.Errorf("a zero and a missing cell are both at %v", known)
	}
	q := Fit(s, x, []float64{1, 5, 1, 5}).At(x)
	if math.Abs(q.Mean[0]-1) > 0.5 || math.Abs(q.Mean[1]-5) > 0.5 {
		t.Errorf("means %v, want 1 and 5", q.Mean[:2])
	}
}

// Categories of few levels have lengths of their own, those of many share one, and cells that are
// missing or unknown lie apart from all others.
func TestSpace(t *testing.T) {
	x := matrix.New(40, 3)
	for i := range x.Rows {
		row := x.Row(i)
		row[0], row[1], row[2] = float64(i), float64(i%3), float64(i)
	}
	x.Row(7)[0] = math.NaN()
	s := NewSpace(x, []bool{false, true, true})
	if s.size != 2+3+40 || s.lengths != 2+3+1 {
		t.Errorf("%d coordinates, %d lengths", s.size, s.lengths)
	}
	far := func(a, b []float64) float64 {
		d := make([]float64, s.lengths)
		s.squares(d, s.place(a), s.place(b))
		sum := 0.0
		for _, v := range d {
			sum += v
		}
		return sum
	}
	if got := far([]float64{math.NaN(), 0, 0}, []float64{20, 0, 0}); got < 1 {
		t.Errorf("a missing number is %v from the mean", got)
	}
	if got := far([]float64{3, 0, 0}, []float64{3, 1, 0}); got != 2 {
		t.Errorf("two categories are %v apart, want 2", got)
	}
	if got := far([]float64{3, 0, 0}, []float64{3, 99, 0}); got != 1 {
		t.Errorf("an unknown category is %v apart, want 1", got)
	}
	x.Row(8)[1] = -1 // the code of a category that is missing or not in the schema
	s = NewSpace(x, []bool{false, true, true})
	if got := far([]float64{3, 0, 0}, []float64{3, -1, 0}); got != 2 {
		t.Errorf("a missing category is %v apart, want 2", got)
	}
}
