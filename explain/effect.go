package explain

import (
	"context"

	"github.com/pfnamp/pfnamp"
	"github.com/pfnamp/pfnamp/joint"
)

// DefaultPoints is the number of values at which the effect of a number is computed.
const DefaultPoints = 9

// EffectOptions say how effects are computed. The zero value is ready for use.
type EffectOptions struct {
	Points int // values of a column of numbers; 0 means DefaultPoints
	// MaxRows bounds the rows over which answers are averaged; 0 means as many as the precision needs.
	MaxRows int
}

// Effect is the average answer over rows of the context as a function of the value of one column, or of
// two (partial dependence; Friedman 2001): at value v the mean over rows i of the functional at
// (v, x_i), where x_i are the other cells of the row.
type Effect struct {
	Columns []string
	Points  []Point
	Rows    int // that were averaged at every point
	Left    int // categories that are not among the points: less frequent ones
	// Changes are, by functional, the difference of the last point and the first one of a column of numbers,
	// whose probability of being above 0 is Above; none of categories and of two columns.
	Changes []Change
}

// Point is a place of an effect.
type Point struct {
	Values    []Value // of the columns
	Rows      int     // of the context to whose values these are the nearest ones
	Support   float64 // share of the averaged rows that come near a row of the context, 0 to 1
	Estimates []Estimate
}

// Change is a difference with the posterior probability that it is above 0.
type Change struct {
	Estimate
	Above float64
}

// Thin reports whether most of the rows that were averaged at a point lie far from all rows of the
// context: there the model extrapolates.
func (p Point) Thin() bool { return p.Support < 0.5 }

// rowsAtOnce is about the number of rows of a batch, whose spread tells the numerical error, and
// leastBatches the number of batches that are averaged at least.
const (
	rowsAtOnce   = 12
	leastBatches = 4
	precision    = 0.1 // numerical error, as a share of the width of the interval
)

// Effect computes the effect of one column, or of two. Rows are added until the numerical error of
// every point is below a tenth of the width of its interval, or all rows of the context are used.
// Errors are a *tabular.Error about a column, and those of pfnamp.Predictor.Answers.
func (p *Population) Effect(
	ctx context.Context, opt EffectOptions, names ...string,
) (*Effect, error) {
	grid, err := p.grid(opt, names)
	if err != nil {
		return nil, err
	}
	if err := p.sort(ctx); err != nil {
		return nil, err
	}
	parts := max(1, p.Size()/rowsAtOnce)
	q := p.predictor.Question()
	at := make([]*sums, len(grid.points))
	for i := range at {
		at[i] = newSums(len(q.Functionals), p.coupling.Draws())
	}
	for k := range parts {
		rows := p.batch(k, parts)
		err := p.ask(ctx, grid.rows(p.rows.X, rows), func(row int, r joint.Row) {
			at[row/len(rows)].add(r)
		})
		if err != nil {
			return nil, err
		}
		for i, s := range at {
			s.endBatch()
			grid.points[i].support.add(p, rows, grid.points[i].cells())
		}
		if k+1 >= leastBatches && precise(at, parts, q) || opt.MaxRows > 0 && at[0].rows >= opt.MaxRows {
			break
		}
	}
	return grid.effect(at, parts, q), nil
}

// precise tells whether the numerical error of all points is small beside the width of their intervals.
func precise(at []*sums, parts int, q pfnamp.Question) bool {
	for _, s := range at {
		for f := range q.Functionals {
			e := interval(s.mean(f), s.means(f), q.Level, q.Interval)
			if s.numericalError(f, parts) > precision*(e.Hi-e.Lo) {
				return false
			}
		}
	}
	return true
}

// effect summarises what was added up.
func (g *grid) effect(at []*sums, parts int, q pfnamp.Question) *Effect {
	e := &Effect{Rows: at[0].rows, Points: make([]Point, len(at))}
	for _, c := range g.columns {
		e.Columns, e.Left = append(e.Columns, c.Name), e.Left+c.left
	}
	for i, point := range g.points {
		e.Points[i] = Point{Values: point.values, Support: point.support.share(),
			Rows: point.rows, Estimates: make([]Estimate, len(q.Functionals))}
	}
	for f := range q.Functionals {
		draws, estimates := make([][]float64, len(at)), make([]*Estimate, len(at))
		for i, s := range at {
			draws[i], estimates[i] = s.means(f), &e.Points[i].Estimates[f]
			*estimates[i] = interval(s.mean(f), draws[i], q.Level, q.Interval)
			estimates[i].Error = s.numericalError(f, parts)
		}
		band(estimates, draws, q.Level)
		if last := len(at) - 1; len(g.columns) == 1 && g.columns[0].Categories == nil && last > 0 {
			e.Changes = append(e.Changes, difference(at[last].mean(f)-at[0].mean(f), draws[last], draws[0], q))
		}
	}
	return e
}

// difference is the change of an average between two points.
func difference(point float64, plus, minus []float64, q pfnamp.Question) Change {
	draws := make([]float64, len(plus))
	for b := range draws {
		draws[b] = plus[b] - minus[b]
	}
	return Change{interval(point, draws, q.Level, q.Interval), above(draws)}
}
