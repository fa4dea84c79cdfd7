package explain

import (
	"context"

	"gonum.org/v1/gonum/floats"

	"github.com/pfnamp/pfnamp/joint"
)

// DefaultPoints is the number of values at which the effect of a numeric column is computed.
const DefaultPoints = 9

// Effect is the average answer as a function of the value of one column, or of two (partial
// dependence; Friedman 2001). At value v it is the mean over rows i of the context of the
// functional at (v, x_i), where x_i are the other cells of the row.
type Effect struct {
	Columns []string
	Points  []Point
	Rows    int // number of rows averaged at every point, by the functional with most
	Left    int // number of rare categories that have no point
	// Changes holds the difference between two points that the table supports, by functional: the last
	// and the first value of numbers, the highest and the lowest of categories. It is empty for two
	// columns, and where fewer than two points are supported.
	Changes []Change
}

// Pair tells whether it is an effect of two columns.
func (e *Effect) Pair() bool { return len(e.Columns) > 1 }

// Point is a point of an effect.
type Point struct {
	Values    []Value    // by column
	Rows      int        // number of context rows whose own values are nearest to this point
	Support   float64    // share of a sample of rows that are near a row of the context, in [0, 1]
	Estimates []Estimate // by functional
}

// Change is a difference with the posterior probability that it is above 0.
type Change struct {
	Estimate
	Above    float64 // in [0, 1]
	From, To int     // points
}

// Thin reports whether the model extrapolates at the point: less than half of the rows are
// near a row of the context.
func (p Point) Thin() bool { return p.Support < 0.5 }

// leastNear is the number of rows whose own value is nearest to a point that is enough to compare
// it with others. In a small table it is half of the average point's.
const leastNear = 5

// rowsAtOnce is about the number of rows that are added at a time, and leastBatches how often they
// are added at least.
const (
	rowsAtOnce   = 12
	leastBatches = 4
	precision    = 0.1 // numerical error, as a share of the width of the interval
)

// Effect computes the effect of one column, or of two. points is the number of values of a numeric
// column; 0 means DefaultPoints, or all values of a column with at most 12. It averages more rows
// until the numerical error of every point is below a tenth of the width of its interval, or until
// all rows of the context are used. Errors are a *tabular.Error about a column, and errors of
// pfnamp.Predictor.Answers.
func (p *Population) Effect(ctx context.Context, points int, names ...string) (*Effect, error) {
	grid, err := p.grid(points, names)
	if err != nil {
		return nil, err
	}
	if err := p.sort(ctx); err != nil {
		return nil, err
	}
	parts := max(1, p.Size()/rowsAtOnce)
	q := p.predictor.Question()
	g := &averaging{grid: grid, population: p, at: make([]*sums, len(grid.points)),
		averages: make([][]average, len(q.Functionals))}
	for i := range g.at {
		g.at[i] = newSums(len(q.Functionals), p.coupling.Draws())
	}
	for k := range parts {
		rows := p.batch(k, parts)
		err := p.ask(ctx, grid.rows(p.rows.X, rows), func(row int, r joint.Row) {
			g.at[row/len(rows)].add(r)
		})
		if err != nil {
			return nil, err
		}
		g.rows = append(g.rows, rows...)
		if k+1 < leastBatches && k+1 < parts {
			continue
		}
		if g.summarise() {
			break
		}
	}
	return g.effect(), nil
}

// averaging is the computation of one effect.
type averaging struct {
	*grid
	population *Population
	rows       []int       // that have been asked
	at         []*sums     // by point
	averages   [][]average // by functional and point
}

// summarise estimates the averages from the rows so far. The control of a row is its answer as it
// is without the effect of its own value: f(x_i) - m(v_i), where m is the effect as it is known so
// far. It leaves functionals that are precise, so that none depends on the others, and tells
// whether all are.
func (g *averaging) summarise() (precise bool) {
	p := g.population
	precise = true
	for f := range p.points {
		if g.precise(f) {
			continue
		}
		g.averages[f] = nil
		var means []float64
		for _, s := range g.at {
			means = append(means, floats.Sum(s.points[f])/float64(s.rows()))
		}
		control := make([]float64, p.Size())
		for i, v := range p.points[f] {
			control[i] = v - g.interpolate(means, p.rows.X.Row(i))
		}
		asked := make([]float64, len(g.rows))
		for k, i := range g.rows {
			asked[k] = control[i]
		}
		all := floats.Sum(control) / float64(len(control))
		for _, s := range g.at {
			g.averages[f] = append(g.averages[f], s.average(f, asked, all, p.Size()))
		}
		precise = precise && g.precise(f)
	}
	return precise
}

// precise tells whether the numerical error of a functional is small at all points beside the width
// of their intervals.
func (g *averaging) precise(f int) bool {
	q := g.population.predictor.Question()
	for _, a := range g.averages[f] {
		e := interval(a.point, a.draws, q.Level, q.Interval)
		if a.error > precision*(e.Hi-e.Lo) {
			return false
		}
	}
	return g.averages[f] != nil
}

// effect summarises what was added up.
func (g *averaging) effect() *Effect {
	q := g.population.predictor.Question()
	e := &Effect{Rows: len(g.rows), Points: make([]Point, len(g.at))}
	for _, c := range g.columns {
		e.Columns, e.Left = append(e.Columns, c.Name), e.Left+c.left
	}
	for i, point := range g.points {
		e.Points[i] = Point{Values: point.values, Support: g.population.support(point.cells()),
			Rows: point.rows, Estimates: make([]Estimate, len(q.Functionals))}
	}
	for f, averages := range g.averages {
		draws, estimates := make([][]float64, len(averages)), make([]*Estimate, len(averages))
		for i, a := range averages {
			draws[i], estimates[i] = a.draws, &e.Points[i].Estimates[f]
			*estimates[i] = interval(a.point, a.draws, q.Level, q.Interval)
			estimates[i].Error = a.error
		}
		band(estimates, draws, q.Level)
		if from, to := g.ends(e.Points, averages); from != to {
			change := floats.SubTo(make([]float64, len(draws[to])), draws[to], draws[from])
			e.Changes = append(e.Changes, Change{Above: above(change), From: from, To: to,
				Estimate: interval(averages[to].point-averages[from].point, change, q.Level, q.Interval)})
		}
	}
	return e
}

// ends are the points that Effect.Changes compares, the same ones if there are none.
func (g *averaging) ends(points []Point, averages []average) (from, to int) {
	if len(g.columns) > 1 {
		return 0, 0
	}
	rows := 0
	for _, p := range points {
		rows += p.Rows
	}
	enough := min(leastNear, float64(rows)/float64(2*len(points)))
	from, to = -1, -1
	for i, p := range points {
		switch {
		case float64(p.Rows) < enough || p.Thin():
		case from < 0:
			from, to = i, i
		case g.columns[0].Categories == nil:
			to = i
		case averages[i].point < averages[from].point:
			from = i
		case averages[i].point > averages[to].point:
			to = i
		}
	}
	return from, to
}
