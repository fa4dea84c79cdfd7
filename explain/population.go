package explain

import (
	"cmp"
	"context"
	"math/bits"
	"slices"

	"github.com/pfnamp/pfnamp"
	"github.com/pfnamp/pfnamp/amp"
	"github.com/pfnamp/pfnamp/internal/matrix"
	"github.com/pfnamp/pfnamp/joint"
	"github.com/pfnamp/pfnamp/pfn"
)

// Population holds the rows of a context, over which answers are averaged, and the model that
// answers. It is not safe for concurrent use.
type Population struct {
	Report    func(rows int) // is called with the number of rows that the network has answered
	predictor *pfnamp.Predictor
	coupling  *joint.Coupling
	rows      pfn.Training
	order     []int       // of the rows, by their answer as they are
	points    [][]float64 // these answers, by functional and row
	asked     int         // rows so far
	near      *neighbours // made when it is needed
}

// NewPopulation couples the rows of a context; length is the length of joint.Couple. Errors are
// errors of joint.Couple.
func NewPopulation(p *pfnamp.Predictor, length float64) (*Population, error) {
	coupling, err := joint.Couple(p, length)
	return &Population{Report: func(int) {}, predictor: p, coupling: coupling,
		rows: p.Fitted().ContextRows()}, err
}

// Size returns the number of rows.
func (p *Population) Size() int { return p.rows.X.Rows }

// askedAtOnce is the number of rows that the network reads in one run, which bounds the memory.
const askedAtOnce = 1024

// answers answers for encoded rows, some at a time, and takes the answers in order.
func (p *Population) answers(
	ctx context.Context, x pfn.Matrix, take func(first int, a *pfnamp.Answer) error,
) error {
	for first := 0; first < x.Rows; first += askedAtOnce {
		last := min(x.Rows, first+askedAtOnce)
		answers, err := p.predictor.Answers(ctx, p.predictor.Encoded(x.Span(first, last)))
		if err == nil {
			err = take(first, answers[0])
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// ask answers for encoded rows and takes them in order, coupled.
func (p *Population) ask(ctx context.Context, x pfn.Matrix, take func(row int, r joint.Row)) error {
	return p.answers(ctx, x, func(first int, a *pfnamp.Answer) error {
		rows, err := p.coupling.Rows(ctx, a, 0, a.Rows())
		for i, row := range rows {
			take(first+i, row)
		}
		p.asked += len(rows)
		p.Report(p.asked)
		return err
	})
}

// sort orders the rows by the mean or the first probability of their predictions, so that every
// k-th of them are a sample that is like all: its averages err less than those of random rows.
func (p *Population) sort(ctx context.Context) error {
	if p.order != nil {
		return nil
	}
	if err := p.coupling.Correct(ctx); err != nil {
		return err
	}
	points := make([][]float64, len(p.predictor.Question().Functionals))
	var by []float64
	first := p.predictor.Question().Functionals[0]
	if p.predictor.Fitted().Classes() == nil {
		first = amp.Mean{}
	}
	err := p.answers(ctx, p.rows.X, func(_ int, a *pfnamp.Answer) error {
		for _, predicted := range a.Predictions {
			by = append(by, first.Point(predicted.PPD))
		}
		for f, estimates := range a.Posteriors[0].Estimates {
			for _, e := range estimates {
				points[f] = append(points[f], e.Point)
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	order := matrix.Upto(p.Size())
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(by[a], by[b]) })
	p.points, p.order = points, order
	return nil
}

// batch is the k-th of so many parts of the rows. The rows of a part are evenly spaced in the order
// of all, and consecutive parts lie far from each other.
func (p *Population) batch(k, parts int) []int {
	var rows []int
	for at := spread(k, parts); at < len(p.order); at += parts {
		rows = append(rows, p.order[at])
	}
	return rows
}

// spread is element k of a permutation of 0 to n-1 whose first elements are evenly spread: in the
// order of their reversed bits, as in the van der Corput sequence.
func spread(k, n int) int {
	places := matrix.Upto(n)
	slices.SortFunc(places, func(a, b int) int {
		return cmp.Compare(bits.Reverse(uint(a)), bits.Reverse(uint(b)))
	})
	return places[k]
}
