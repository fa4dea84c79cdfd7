package pfnamp

import (
	"cmp"
	"context"
	"runtime"

	"golang.org/x/sync/errgroup"

	"github.com/pfnamp/pfnamp/amp"
	"github.com/pfnamp/pfnamp/internal/panics"
	"github.com/pfnamp/pfnamp/pfn"
)

// DefaultLength is the distance over which rows move together. In the additive model of the
// simulation study, whose joint posterior is known, half the distance of two rows fits best.
const DefaultLength = 0.5

// Coupling makes posterior draws of many rows belong together: near rows move together. It leaves
// the posterior of every single row as it is. It is safe for concurrent use.
//
// Functionals are coupled one by one, each over the rows. Of two classes the probabilities of a draw
// have the sum 1, of more they have not: there draws of different classes do not belong together.
type Coupling struct {
	// RanksOnly leaves out points and draws of rows, which bands do not need.
	RanksOnly bool

	predictor *Predictor
	space     *space
	field     *amp.Field
}

// Couple draws the dependence between rows; length, positive and finite, is the distance over
// which they move together, in distances of two rows of the context, and 0 means [DefaultLength].
// Errors are a *pfn.StateError of an old state, or tell what is out of range.
func (p *Predictor) Couple(length float64) (*Coupling, error) {
	f := p.fitted
	if len(f.scales) != len(f.schema.Columns) {
		return nil, &pfn.StateError{Msg: "the state does not tell the scales of the features, " +
			"by which rows are coupled; fit again"}
	}
	c := &Coupling{predictor: p, space: newSpace(f.schema.Columns, f.scales)}
	var err error
	c.field, err = amp.JointSampler{
		Lengths: c.space.lengths(cmp.Or(length, DefaultLength)),
		Draws:   p.question.Draws(), Seed: p.question.Seed,
	}.Draw()
	return c, err
}

// Draws is the number of joint draws.
func (c *Coupling) Draws() int { return c.field.Draws() }

// CoupledRow is one row of a joint posterior: equal draws of different rows belong together.
type CoupledRow struct {
	Ranks  []int       // of the draws, for amp.Simultaneous
	Points []float64   // by functional
	Draws  [][]float64 // by functional
}

// Rows couples rows first..last-1 of an answer. The error is the cause of a cancelled ctx.
func (c *Coupling) Rows(ctx context.Context, a *Answer, first, last int) ([]CoupledRow, error) {
	workers := c.predictor.question.Workers
	if workers == 0 {
		workers = runtime.GOMAXPROCS(0)
	}
	rows := make([]CoupledRow, last-first)
	var group errgroup.Group
	for worker := range min(workers, len(rows)) {
		group.Go(panics.Job(func() error {
			for i := worker; i < len(rows) && ctx.Err() == nil; i += workers {
				rows[i] = c.row(a, first+i)
			}
			return nil
		}))
	}
	if err := group.Wait(); err != nil {
		return nil, err
	}
	return rows, ctx.Err()
}

// row couples one row of an answer.
func (c *Coupling) row(a *Answer, at int) CoupledRow {
	place := c.space.place(a.x.Row(at))
	row := CoupledRow{Ranks: c.field.Ranks(place)}
	if c.RanksOnly {
		return row
	}
	prediction := a.prediction(c.predictor.methods[0], at)
	for f, s := range c.predictor.summaries[0] {
		ranks := row.Ranks
		if f == 0 && len(c.predictor.fitted.Classes()) == 2 {
			ranks = opposite(ranks)
		}
		row.Points = append(row.Points, a.Posteriors[0].Estimates[f][at].Point)
		row.Draws = append(row.Draws, s.Coupled(prediction, ranks))
	}
	return row
}

// opposite turns the order of ranks round.
func opposite(ranks []int) []int {
	turned := make([]int, len(ranks))
	for b, rank := range ranks {
		turned[b] = len(ranks) - 1 - rank
	}
	return turned
}
