package joint

import (
	"cmp"
	"context"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat/distuv"

	"github.com/pfnamp/pfnamp"
	"github.com/pfnamp/pfnamp/amp"
	"github.com/pfnamp/pfnamp/internal/panics"
)

// DefaultLength is the default distance over which rows move together. The simulation study has an
// additive model whose joint posterior is known. There half the distance of two rows fits best.
const DefaultLength = 0.5

// waves are enough for what the line leaves: correlations have an error of about 0.06.
const waves = 128

// Coupling makes posterior draws of many rows belong together: near rows move together. It leaves
// the posterior of every single row as it is. It is safe for concurrent use.
//
// Coupling couples every functional by itself, over the rows. With two classes the probabilities of
// a draw have the sum 1. With more classes they do not, because draws of different classes do not
// belong together.
type Coupling struct {
	// RanksOnly leaves out points and draws of rows, which bands do not need.
	RanksOnly bool
	// Alike says that the rows come as those of the context did, as those of a query table mostly
	// do, and not rows whose cells were set: then averages know more, see [Coupling.Correct].
	Alike bool

	predictor *pfnamp.Predictor
	space     *space
	field     *amp.Field
	unit      float64 // width of a normal interval of the question's level
	line      *line
	scales    []float64   // σ of the line, by functional
	slopes    [][]float64 // of what the network leaves of the context, by functional; see Correct
	seen      *mat.Dense  // of the waves, by draw; see Correct
}

// Couple draws the dependence between rows. length is the distance over which rows move together,
// positive and finite; its unit is the distance of two rows of the context. 0 means
// [DefaultLength]. The error is a *tabular.Error about too few groups, or says what is out of
// range.
func Couple(p *pfnamp.Predictor, length float64) (*Coupling, error) {
	f := p.Fitted()
	c := &Coupling{predictor: p, space: newSpace(f.Schema().Encoded(), f.Scales()),
		unit: 2 * distuv.UnitNormal.Quantile((1+p.Question().Level)/2)}
	var err error
	c.field, err = amp.JointSampler{
		Lengths: c.space.lengths(cmp.Or(length, DefaultLength)), Waves: waves,
		Draws: p.Question().Draws(), Seed: p.Question().Seed,
	}.Draw()
	if err != nil {
		return c, err
	}
	if c.line, err = newLine(c.space, p); err != nil {
		return c, err
	}
	for _, f := range p.Question().Functionals {
		_, left := c.line.slopes(c.line.labels(f))
		c.scales = append(c.scales, c.line.deviation(left))
	}
	return c, nil
}

// Draws is the number of joint draws.
func (c *Coupling) Draws() int { return c.field.Draws() }

// Row is one row of a joint posterior. Draws with the same index in different rows belong together.
type Row struct {
	Ranks  []int       // of the draws, for amp.Simultaneous
	Points []float64   // by functional
	Draws  [][]float64 // by functional
	// Together are the draws for averages over several rows, which [Coupling.Correct] corrects;
	// nil means Draws.
	Together [][]float64
}

// together are the draws for averages.
func (r Row) together() [][]float64 {
	if r.Together == nil {
		return r.Draws
	}
	return r.Together
}

// Rows couples rows first..last-1 of an answer. The error is the cause of a cancelled ctx.
func (c *Coupling) Rows(ctx context.Context, a *pfnamp.Answer, first, last int) ([]Row, error) {
	rows := make([]Row, last-first)
	err := panics.EachOf(c.predictor.Question().Workers, len(rows), func(i int) {
		if ctx.Err() == nil {
			rows[i] = c.row(a, first+i)
		}
	})
	return rows, cmp.Or(err, context.Cause(ctx))
}

// row couples one row of an answer. As far as the line does not know the row, draws of rows move
// together as the line's do, and otherwise as waves over the space.
func (c *Coupling) row(a *pfnamp.Answer, at int) Row {
	z, x := make([]float64, c.field.Draws()), a.Features(at)
	c.field.Values(z, c.space.place(x))
	on := spot{place: c.line.coordinates(x)}
	on.errors = c.line.along(c.line.draws, on.place)
	deviation := c.line.deviationAt(on.place)
	estimates := a.Posteriors[0].Estimates
	known := make([]float64, len(estimates)) // spread of the row, in units of the line's
	for f, of := range estimates {
		if known[f] = (of[at].Hi - of[at].Lo) / (c.unit * c.scales[f] * deviation); !(known[f] >= 0) {
			known[f] = 1 // both are 0
		}
	}
	share := min(1, 1/slices.Min(known))
	floats.Scale(math.Sqrt(1-share*share), z)
	if deviation > 0 {
		floats.AddScaled(z, share/deviation, on.errors)
	}
	row := Row{Ranks: amp.RanksOf(z)}
	if c.RanksOnly {
		return row
	}
	for _, of := range estimates {
		row.Points = append(row.Points, of[at].Point)
	}
	row.Draws = c.predictor.Draws(a, at, row.Ranks)
	if c.slopes != nil {
		row.Together = make([][]float64, len(row.Draws))
		if c.seen != nil {
			on.seen = c.line.along(c.seen, on.place)
		}
		for f, draws := range row.Draws {
			wave := math.Sqrt(1-share*share) * known[f] * c.scales[f] * deviation
			row.Together[f] = c.corrected(f, draws, on, max(0, 1-known[f]), wave)
		}
	}
	return row
}
