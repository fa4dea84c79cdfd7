package joint

import (
	"cmp"
	"context"
	"math"

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
// Coupling couples every functional by itself, over the rows, so its answers do not depend on what
// else is asked. With two classes the probabilities of a draw have the sum 1. Otherwise draws of
// different functionals do not belong together.
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
	lines     []*line     // by functional, which differ in their errors
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
		c.lines = append(c.lines, c.line.with(p.Question(), left))
		c.scales = append(c.scales, c.line.deviation(left))
	}
	return c, nil
}

// Draws is the number of joint draws.
func (c *Coupling) Draws() int { return c.field.Draws() }

// Row is one row of a joint posterior. Draws with the same index in different rows belong together.
type Row struct {
	Number int64       // of the row in its table, from 1; 0 means that it follows the one before
	Ranks  [][]int     // of the draws, by functional, for amp.Simultaneous
	Points []float64   // by functional
	Draws  [][]float64 // by functional
	// Together are the draws for averages over several rows, which [Coupling.Correct] corrects.
	Together [][]float64
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
	waves, x := make([]float64, c.field.Draws()), a.Features(at)
	c.field.Values(waves, c.space.place(x))
	place := c.line.coordinates(x)
	estimates := a.Posteriors[0].Estimates
	row, spots, on, deviation := Row{}, make([]spot, len(estimates)), spot{}, 0.
	for f := range estimates {
		k, sign := f, 1.
		if f == 0 && len(c.predictor.Fitted().Classes()) == 2 {
			k, sign = 1, -1 // the first class is the second one turned
		}
		e, l := estimates[k][at], c.lines[k]
		if f == 0 || l != c.line { // which all functionals share where rows are independent
			on.errors, deviation = l.along(l.draws, place), l.deviationAt(place)
		}
		// known is the spread of the row, in units of the line's.
		known := (e.Hi - e.Lo) / (c.unit * c.scales[k] * deviation)
		if !(known >= 0) {
			known = 1 // both are 0
		}
		share := min(1, 1/known)
		z := make([]float64, len(waves))
		floats.AddScaled(z, sign*math.Sqrt(1-share*share), waves)
		if deviation > 0 {
			floats.AddScaled(z, sign*share/deviation, on.errors)
		}
		on.lacking = sign * max(0, 1-known) * c.scales[k]
		on.wave = sign * math.Sqrt(1-share*share) * known * c.scales[k] * deviation
		row.Ranks, spots[f] = append(row.Ranks, amp.RanksOf(z)), on
	}
	if c.RanksOnly {
		return row
	}
	for _, of := range estimates {
		row.Points = append(row.Points, of[at].Point)
	}
	row.Draws = c.predictor.Draws(a, at, row.Ranks)
	row.Together = row.Draws
	if c.slopes != nil {
		row.Together = c.corrected(row.Draws, spots, place)
	}
	return row
}
