package reading

import (
	"context"
	"math"
	"sync"

	"github.com/pfnamp/pfnamp/amp"
	"github.com/pfnamp/pfnamp/internal/donors"
	"github.com/pfnamp/pfnamp/internal/panics"
	"github.com/pfnamp/pfnamp/models"
	"github.com/pfnamp/pfnamp/pfn"
)

// Missing says how query rows are answered that lack cells, or have categories that the training
// table lacks.
type Missing string

// The ways.
const (
	// Auto is Average with bundles that have a posterior of all functionals or of the class
	// probabilities of their own, and Native with others, which are to agree with the packages that
	// they come from. It is Native for a state of an earlier version, which keeps no rows.
	Auto Missing = "auto"
	// Average answers by the mean over what the missing cells may hold: see [Donors].
	Average Missing = "average"
	// Native lets the model read missing cells as its pipelines do: a number is the mean of its
	// column, a category a code of its own.
	Native Missing = "native"
)

// Ways lists the names.
func Ways() []Missing { return []Missing{Auto, Average, Native} }

// Averages tells whether a bundle answers for missing cells by the mean over what they may hold.
func (m Missing) Averages(bundle models.Manifest) bool {
	if m == Auto || m == "" {
		return bundle.Own()
	}
	return m == Average
}

// Completions is how many rows of a network's run a query row that lacks cells becomes at most.
const Completions = 16

// knownShare is the share of donors that lack a cell of a column from which on the network has read
// what a missing cell means.
const knownShare = 0.05

// Donors are rows of a context that lend cells to query rows that lack some. Such a row becomes up
// to [Completions] rows with cells of donors that are like it, which the network reads in the same
// run; the distributions and posteriors are mixed (amp.Mixture, amp.MixSurfaces,
// amp.MixClassPosteriors):
//
//	P(y | the cells that are there) = E P(y | all cells)
//
// A row's answer depends on its cells, the donors and the seed alone. Rows that lack nothing have
// the answers that they have without donors. A nil *Donors completes nothing. Donors are safe for
// concurrent use.
type Donors struct {
	rows    pfn.Training
	classes int
	seed    uint64
	known   float64 // the share of donors that lack a cell of a column from which on it is not lent

	once  sync.Once
	table *donors.Table
}

// Donors returns the donors of a context that a model of a bundle has read, nil where the bundle
// reads missing cells itself; see [NewDonors].
func (m Missing) Donors(bundle models.Manifest, t pfn.Training, classes int, seed uint64) *Donors {
	if !m.Averages(bundle) {
		return nil
	}
	return NewDonors(t, classes, seed)
}

// NewDonors draws the donors from a context, of so many classes or 0 of numbers; the seed draws
// what they lend.
func NewDonors(t pfn.Training, classes int, seed uint64) *Donors {
	return &Donors{rows: Lenders(t), classes: classes, seed: seed, known: knownShare}
}

// made is the table of the donors. The first row that lacks a cell makes it.
func (d *Donors) made() *donors.Table {
	d.once.Do(func() {
		d.table = donors.New(d.rows.X, d.rows.Categorical, d.rows.Y, d.classes)
	})
	return d.table
}

// isMissing tells whether a feature of a query row is missing.
func (d *Donors) isMissing(column int, v float64) bool {
	return math.IsNaN(v) || v < 0 && column < len(d.rows.Categorical) && d.rows.Categorical[column]
}

// lends tells whether donors lend cells of a column. They do not where many of them lack the cell
// themselves. There the network has read what a missing cell means, for example that an engine has
// no turbocharger; a donor that has the cell knows nothing of it. Elsewhere the mean is better.
func (d *Donors) lends(column int) bool {
	return float64(d.made().Missing(column))/float64(d.rows.X.Rows) < d.known
}

// lacking lists, by row, the cells that donors lend. It returns nil if there are none.
func (d *Donors) lacking(x pfn.Matrix) [][]int {
	if d == nil || d.rows.X.Rows == 0 {
		return nil
	}
	var all [][]int
	for k, v := range x.Data {
		if row, j := k/x.Cols, k%x.Cols; d.isMissing(j, v) && d.lends(j) {
			if all == nil {
				all = make([][]int, x.Rows)
			}
			all[row] = append(all[row], j)
		}
	}
	return all
}

// Predictions is [Predictions] with query rows completed.
func (d *Donors) Predictions(
	ctx context.Context, c *pfn.Context, x pfn.Matrix, own bool,
) ([]amp.Prediction, error) {
	rows, err := d.Separate(ctx, c, x)
	return agreed(rows, own), err
}

// Separate is [Donors.Predictions] with label and surface as the network says them, which may
// contradict each other.
func (d *Donors) Separate(
	ctx context.Context, c *pfn.Context, x pfn.Matrix,
) ([]amp.Prediction, error) {
	return d.complete(c, x, func(x pfn.Matrix) ([]amp.Prediction, error) {
		return separate(ctx, c, x)
	})
}

// ClassPredictions returns what a classifier says about query rows, completed where d is not nil,
// as methods of package amp take it, and the most probable classes; every PPD is an amp.Classes.
// With own, the network's own posterior of the probabilities comes too, where its bundle has one.
// Errors are those of pfn.Context.PredictClasses.
func (d *Donors) ClassPredictions(
	ctx context.Context, c *pfn.Context, x pfn.Matrix, own bool,
) ([]amp.Prediction, []int, error) {
	rows, err := d.complete(c, x, func(x pfn.Matrix) ([]amp.Prediction, error) {
		return classRows(ctx, c, x, own)
	})
	if err != nil {
		return nil, nil, err
	}
	best := make([]int, len(rows))
	for i, row := range rows {
		best[i] = pfn.Classes(row.PPD.(amp.Classes)).Best()
	}
	return rows, best, nil
}

// runRows bounds the rows that the network reads at a time where some are completed.
const runRows = 2048

// complete predicts rows, those that lack cells by what they may be.
func (d *Donors) complete(
	c *pfn.Context, x pfn.Matrix, predict func(pfn.Matrix) ([]amp.Prediction, error),
) ([]amp.Prediction, error) {
	lacking := d.lacking(x)
	if lacking == nil || c.Members() == 0 {
		return predict(x)
	}
	lenders, err := d.lenders(lacking, x.Cols)
	if err != nil {
		return nil, err
	}
	all := make([]amp.Prediction, 0, x.Rows)
	for first := 0; first < x.Rows; {
		last, rows := first, 0
		for last < x.Rows && rows < runRows {
			rows++
			if lacking[last] != nil {
				rows += Completions - 1
			}
			last++
		}
		p, err := d.plan(x.Span(first, last), lacking[first:last], lenders)
		if err != nil {
			return nil, err
		}
		made, err := predict(p.x)
		if err != nil {
			return nil, err
		}
		mixed, err := p.mixed(made)
		if err != nil {
			return nil, err
		}
		all = append(all, mixed...)
		first = last
	}
	return all, nil
}

// lenders readies the donors for all sets of cells that rows lack.
func (d *Donors) lenders(lacking [][]int, columns int) (map[string]*donors.Lender, error) {
	found, sets := map[string]*donors.Lender{}, [][]int{}
	for _, columnsOf := range lacking {
		if key := pattern(columnsOf, columns); columnsOf != nil && found[key] == nil {
			found[key] = new(donors.Lender)
			sets = append(sets, columnsOf)
		}
	}
	err := panics.Each(len(sets), func(i int) {
		*found[pattern(sets[i], columns)] = *d.made().Lender(sets[i])
	})
	return found, err
}

// pattern tells sets of columns apart.
func pattern(lacking []int, columns int) string {
	bits := make([]byte, columns)
	for _, j := range lacking {
		bits[j] = 1
	}
	return string(bits)
}
