package joint

import (
	"cmp"
	"context"
	"runtime"

	"golang.org/x/sync/errgroup"

	"github.com/pfnamp/pfnamp"
	"github.com/pfnamp/pfnamp/amp"
	"github.com/pfnamp/pfnamp/internal/panics"
	"github.com/pfnamp/pfnamp/pfn"
)

// DefaultLength is the default distance over which rows move together. The simulation study has an
// additive model whose joint posterior is known. There half the distance of two rows fits best.
const DefaultLength = 0.5

// Coupling makes posterior draws of many rows belong together: near rows move together. It leaves
// the posterior of every single row as it is. It is safe for concurrent use.
//
// Coupling couples every functional by itself, over the rows. With two classes the probabilities of
// a draw have the sum 1. With more classes they do not, because draws of different classes do not
// belong together.
type Coupling struct {
	// RanksOnly leaves out points and draws of rows, which bands do not need.
	RanksOnly bool

	predictor *pfnamp.Predictor
	space     *space
	field     *amp.Field
}

// Couple draws the dependence between rows. length is the distance over which rows move together,
// positive and finite; its unit is the distance of two rows of the context. 0 means
// [DefaultLength]. The error is a *pfn.StateError for an old state, or says what is out of range.
func Couple(p *pfnamp.Predictor, length float64) (*Coupling, error) {
	columns, scales := p.Fitted().Schema().Encoded(), p.Fitted().Scales()
	if len(scales) != len(columns) {
		return nil, &pfn.StateError{Msg: "the state lacks the scales of the features, which couple " +
			"the rows"}
	}
	c := &Coupling{predictor: p, space: newSpace(columns, scales)}
	var err error
	c.field, err = amp.JointSampler{
		Lengths: c.space.lengths(cmp.Or(length, DefaultLength)),
		Draws:   p.Question().Draws(), Seed: p.Question().Seed,
	}.Draw()
	return c, err
}

// Draws is the number of joint draws.
func (c *Coupling) Draws() int { return c.field.Draws() }

// Row is one row of a joint posterior. Draws with the same index in different rows belong together.
type Row struct {
	Ranks  []int       // of the draws, for amp.Simultaneous
	Points []float64   // by functional
	Draws  [][]float64 // by functional
}

// Rows couples rows first..last-1 of an answer. The error is the cause of a cancelled ctx.
func (c *Coupling) Rows(ctx context.Context, a *pfnamp.Answer, first, last int) ([]Row, error) {
	workers := c.predictor.Question().Workers
	if workers == 0 {
		workers = runtime.GOMAXPROCS(0)
	}
	rows := make([]Row, last-first)
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
	return rows, context.Cause(ctx)
}

// row couples one row of an answer.
func (c *Coupling) row(a *pfnamp.Answer, at int) Row {
	row := Row{Ranks: c.field.Ranks(c.space.place(a.Features(at)))}
	if c.RanksOnly {
		return row
	}
	for _, estimates := range a.Posteriors[0].Estimates {
		row.Points = append(row.Points, estimates[at].Point)
	}
	row.Draws = c.predictor.Draws(a, at, row.Ranks)
	return row
}
