package explain

import (
	"cmp"
	"context"
	"errors"
	"slices"

	"github.com/pfnamp/pfnamp/amp"
	"github.com/pfnamp/pfnamp/folds"
	"github.com/pfnamp/pfnamp/internal/panics"
	"github.com/pfnamp/pfnamp/pfn"
)

// measuring is what importances are measured with, and what came of it.
type measuring struct {
	model   *pfn.Model
	rows    pfn.Training
	score   score
	classes int // 0 of numbers
	left    int // rows of dropSingles
	// division are the groups or times of the rows, and held the rows that were predicted, ascending.
	division folds.Columns
	held     []int
	folds    int
	options  ImportanceOptions
	groups   []group
	told     []float64 // by group: share that the others explain, the largest of all folds
	draws    int       // of replaced cells

	// The scores of all rows: with all columns, and by group without it. known is the loss of a
	// prediction without columns, that of scores.spent.
	whole    []scores
	replaced [][]scores
	known    []float64

	done, all int // rows of the network
}

func (o ImportanceOptions) complete() ImportanceOptions {
	o.Correlated = cmp.Or(o.Correlated, DefaultCorrelated)
	o.Level = cmp.Or(o.Level, amp.DefaultLevel)
	if o.Report == nil {
		o.Report = func(int, int) {}
	}
	return o
}

// dropSingles leaves out rows whose class, of so many, no other row has: without them, no model
// knows the class. It numbers the other classes anew, and returns their number.
func (m *measuring) dropSingles(of int) (classes int) {
	counts, number := make([]int, of), make([]int, of)
	for _, y := range m.rows.Y {
		counts[int(y)]++
	}
	for k, n := range counts {
		if number[k] = classes; n > 1 {
			classes++
		}
	}
	var kept []int
	for i, v := range m.rows.Y {
		if counts[int(v)] > 1 {
			kept = append(kept, i)
		}
	}
	m.left = len(m.rows.Y) - len(kept)
	m.rows, m.division = m.rows.Take(kept), m.division.Take(kept)
	for i, v := range m.rows.Y {
		m.rows.Y[i] = float64(number[int(v)])
	}
	return classes
}

// run predicts the rows of every fold by a model that has not read them.
func (m *measuring) run(ctx context.Context) error {
	n := m.rows.X.Rows
	m.draws = min(mostReplaced, max(leastReplaced, askedRows/(n*max(1, len(m.groups)))))
	m.all = n * (1 + m.draws*len(m.groups))
	m.prepare()
	strata := make([]int, n)
	for i, y := range m.rows.Y {
		strata[i] = m.score.stratum(y)
	}
	plan := folds.Plan{Count: importanceFolds, Seed: m.options.Seed, Strata: strata}
	divided, err := m.division.Plan(plan).Fitting().Folds()
	for _, fold := range divided {
		if err == nil {
			err = m.fold(ctx, fold.Held, fold.Read)
		}
		m.held = append(m.held, fold.Held...)
	}
	slices.Sort(m.held)
	m.folds = len(divided)
	return err
}

// prepare makes room for the scores.
func (m *measuring) prepare() {
	n := m.rows.X.Rows
	m.whole, m.known, m.told = make([]scores, n), make([]float64, n), make([]float64, len(m.groups))
	for range m.groups {
		m.replaced = append(m.replaced, make([]scores, n))
	}
}

// fold predicts held rows by a model that reads the others.
func (m *measuring) fold(ctx context.Context, held, others []int) (err error) {
	read := m.rows.Take(others)
	c, err := m.model.Fit(ctx, read)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, c.Close()) }()
	r := &replacing{lenders: m.lenders(read), rows: m.rows.X, held: held, seed: m.options.Seed,
		workers: m.options.Workers}
	r.complete(m.draws)
	baseline := m.score.baseline(read)
	whole, err := m.scores(ctx, c, r.base, held)
	if err != nil {
		return err
	}
	for i, row := range held {
		m.whole[row], m.known[row] = whole[i], baseline(m.rows.Y[row])
	}
	for g := range m.groups {
		if told := r.lenders.groups[g].Explained(); told > m.told[g] {
			m.told[g] = told
		}
		parts, err := r.replace(m.groups[g].features, g, m.draws)
		if err != nil {
			return err
		}
		replaced, err := m.scores(ctx, c, parts, held)
		if err != nil {
			return err
		}
		for i, row := range held {
			m.replaced[g][row] = replaced[i]
		}
	}
	return nil
}

// scores predicts rows that stand for others, and scores them.
func (m *measuring) scores(
	ctx context.Context, c *pfn.Context, parts *standing, held []int,
) ([]scores, error) {
	predicted := make([]amp.PPD, 0, parts.x.Rows)
	for first := 0; first < parts.x.Rows; first += askedAtOnce {
		last := min(parts.x.Rows, first+askedAtOnce)
		rows, err := m.score.predict(ctx, c, parts.x.Span(first, last))
		if err != nil {
			return nil, err
		}
		predicted = append(predicted, rows...)
	}
	out := make([]scores, len(held))
	err := panics.EachOf(m.options.Workers, len(held), func(i int) {
		first, last := parts.at[i], parts.at[i+1]
		out[i] = m.score.of(predicted[first:last], parts.weights[first:last], m.rows.Y[held[i]])
	})
	m.done += len(held) * max(1, parts.x.Rows/len(held))
	m.options.Report(min(m.done, m.all), m.all)
	return out, err
}
