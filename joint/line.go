package joint

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"github.com/pfnamp/pfnamp"
	"github.com/pfnamp/pfnamp/amp"
	"github.com/pfnamp/pfnamp/pfn"
)

// line is a linear regression of the context on the coordinates of a space, and thus on numbers and
// on an indicator of every category. What it does not know of a slope or of a group is shared by
// all rows, so it does not average out. With the coordinates a of a row, its error is
//
//	a'β,  β ~ N(0, σ² (S + ρ S J S)),  S = (A'A + penalty)^-1,
//
// where ρ is the variance of what rows of a cluster share, in units of the noise σ², and J the sum
// over clusters of products of the sums of their coordinates.
type line struct {
	space    *space
	axes     []int // coordinate of every column of A but the first
	rows     pfn.Training
	a        *mat.Dense    // of these rows
	inverse  *mat.SymDense // S, for as many rows as the context has
	spread   *mat.SymDense // S + ρ S J S
	draws    *mat.Dense    // of β/σ, one row per column of A
	weight   float64       // of a row
	freedom  float64       // rows minus the degrees of freedom of the regression
	clusters *clusters     // of the rows, nil if they are independent
}

const (
	mostAxes    = 200  // coordinates of the line: the others matter for few rows
	mostRows    = 1000 // of the context, over which the line is fitted
	linePenalty = 0.25 // in rows: what a group without rows has in common has the variance 4σ²
	lineStream  = 0x4c69_6e65_0000_0000
)

// newLine fits a line to rows of the context of a question. The rows of a group of the context
// (pfnamp.FitOptions.Group) are a cluster. The error is a *tabular.Error about too few clusters.
func newLine(s *space, p *pfnamp.Predictor) (*line, error) {
	f := p.Fitted()
	l := &line{space: s, rows: f.ContextRows()}
	whole, by, _ := f.WholeContext()
	groups := by.Groups
	if groups != nil {
		l.rows = whole // whose groups these are
	} else if n := l.rows.X.Rows; n > mostRows {
		at := make([]int, mostRows)
		for i := range at {
			at[i] = i * n / mostRows
		}
		l.rows = l.rows.Take(at)
	}
	l.fit(float64(f.Context().Rows()) / float64(l.rows.X.Rows))
	l.spread = l.inverse
	if groups != nil {
		l.clusters = newClusters(groups, l)
		if l.clusters.freedom < leastClusters {
			return nil, l.clusters.few(f)
		}
		return l, nil
	}
	l.draw(p.Question())
	return l, nil
}

// with returns the line with the errors of a functional, from what it leaves of its labels: rows of
// a cluster share another part of every functional.
func (l *line) with(q pfnamp.Question, left []float64) *line {
	if l.clusters == nil {
		return l
	}
	own, ratio := *l, 0.0
	if within, shared := l.clusters.variances(left); within > 0 {
		ratio = shared / within
	}
	own.spread = l.clusters.spread(l, ratio)
	own.draw(q)
	return &own
}

// labels are values of the rows whose mean is the functional.
func (l *line) labels(f amp.Functional) []float64 {
	values := make([]float64, len(l.rows.Y))
	for i, y := range l.rows.Y {
		values[i] = Label(f, y)
	}
	return values
}

// deviation is σ, from what the line leaves of values.
func (l *line) deviation(left []float64) float64 {
	if l.clusters != nil {
		within, _ := l.clusters.variances(left)
		return math.Sqrt(within)
	}
	return math.Sqrt(floats.Dot(left, left) / l.freedom)
}

// fit sets S. Every row counts as this many rows.
func (l *line) fit(weight float64) {
	l.weight = weight
	n := l.rows.X.Rows
	width := l.space.size + len(l.space.first)
	all := mat.NewDense(n, width, nil)
	for i := range n {
		all.SetRow(i, l.coordinates(l.rows.X.Row(i)))
	}
	squares := make([]float64, width)
	for j := range squares {
		l.axes = append(l.axes, j)
		squares[j] = floats.Norm(mat.Col(nil, j, all), 2)
	}
	slices.SortStableFunc(l.axes, func(a, b int) int { return cmp.Compare(squares[b], squares[a]) })
	l.axes = l.axes[:min(len(l.axes), mostAxes)]
	p := len(l.axes) + 1
	l.a = mat.NewDense(n, p, nil)
	for i := range n {
		l.a.Set(i, 0, 1)
		for k, j := range l.axes {
			l.a.Set(i, k+1, all.At(i, j))
		}
	}
	products := mat.NewSymDense(p, nil)
	products.SymOuterK(weight, l.a.T())
	penalised := mat.NewSymDense(p, nil)
	penalised.CopySym(products)
	for k := range p {
		penalised.SetSym(k, k, penalised.At(k, k)+linePenalty)
	}
	penalised.SetSym(0, 0, products.At(0, 0)+1e-6)
	l.inverse = mat.NewSymDense(p, nil)
	var root mat.Cholesky
	if !root.Factorize(penalised) || root.InverseTo(l.inverse) != nil {
		l.inverse.Zero()
	}
	l.freedom = float64(n)
	for j := range p {
		for k := range p {
			l.freedom -= l.inverse.At(j, k) * products.At(j, k)
		}
	}
	l.freedom = max(l.freedom, float64(n)/4, 1)
}

// coordinates are the place of a row in the space, and for every feature whether it is a category
// that is missing, or new.
func (l *line) coordinates(row []float64) []float64 {
	place := l.space.place(row)[:l.space.size]
	for j, v := range row {
		unknown := 0.0
		if l.space.first[j] >= 0 && len(l.space.columns[j].Categories) > 0 && !(v >= 0) {
			unknown = 1
		}
		place = append(place, unknown)
	}
	return place
}

// draw draws β/σ. Without clusters, its variance is S.
func (l *line) draw(q pfnamp.Question) {
	p, _ := l.inverse.Dims()
	draws, random := q.Draws(), rand.New(rand.NewPCG(q.Seed, lineStream))
	normal := mat.NewDense(p, draws, nil)
	for k := range p {
		for b := range draws {
			normal.Set(k, b, random.NormFloat64())
		}
	}
	var factor mat.Cholesky
	var root mat.TriDense
	l.draws = mat.NewDense(p, draws, nil)
	if factor.Factorize(l.spread) {
		factor.LTo(&root)
		l.draws.Mul(&root, normal)
	}
}

// slopes returns the regression of values of the rows, and what it leaves of them.
func (l *line) slopes(values []float64) (slopes, left []float64) {
	n, p := l.a.Dims()
	var along, w, fitted mat.VecDense
	along.MulVec(l.a.T(), mat.NewVecDense(n, values))
	along.ScaleVec(l.weight, &along)
	w.MulVec(l.inverse, &along)
	fitted.MulVec(l.a, &w)
	left = slices.Clone(values)
	floats.Sub(left, fitted.RawVector().Data)
	return w.RawVector().Data[:p], left
}

// seen returns the regression of the waves at the rows on the line, by draw.
func (l *line) seen(waves *amp.Field, s *space) *mat.Dense {
	n, p := l.a.Dims()
	var bases []float64
	for i := range n {
		bases = append(bases, waves.Basis(s.place(l.rows.X.Row(i)))...)
	}
	var slopes mat.Dense
	slopes.Product(l.inverse, l.a.T(), mat.NewDense(n, len(bases)/n, bases))
	slopes.Scale(l.weight, &slopes)
	draws := mat.NewDense(p, waves.Draws(), nil)
	for k := range p {
		waves.Sum(draws.RawRowView(k), slopes.RawRowView(k))
	}
	return draws
}

// vector returns the entries of a that are not 0 at the coordinates of a row, and where they are.
func (l *line) vector(place []float64) (at []int, a []float64) {
	at, a = []int{0}, []float64{1}
	for k, j := range l.axes {
		if place[j] != 0 {
			at, a = append(at, k+1), append(a, place[j])
		}
	}
	return at, a
}

// along returns a'β at the coordinates of a row, by draw of β.
func (l *line) along(slopes *mat.Dense, place []float64) []float64 {
	_, n := slopes.Dims()
	draws := make([]float64, n)
	at, a := l.vector(place)
	for i, k := range at {
		floats.AddScaled(draws, a[i], slopes.RawRowView(k))
	}
	return draws
}

// deviationAt is the standard deviation of a'β/σ at the coordinates of a row.
func (l *line) deviationAt(place []float64) float64 {
	sum := 0.0
	at, a := l.vector(place)
	for i, k := range at {
		for j, m := range at {
			sum += a[i] * a[j] * l.spread.At(k, m)
		}
	}
	return math.Sqrt(max(0, sum))
}

// value returns a'w of slopes w at the coordinates of a row.
func (l *line) value(slopes, place []float64) float64 {
	sum := slopes[0]
	for k, j := range l.axes {
		sum += slopes[k+1] * place[j]
	}
	return sum
}
