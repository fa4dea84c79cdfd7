package reading

import (
	"context"
	"fmt"
	"math"
	"slices"
	"sync"

	"github.com/pfnamp/pfnamp/amp"
	"github.com/pfnamp/pfnamp/internal/donors"
	"github.com/pfnamp/pfnamp/internal/panics"
	"github.com/pfnamp/pfnamp/internal/rows"
	"github.com/pfnamp/pfnamp/models"
	"github.com/pfnamp/pfnamp/pfn"
)

// Missing is the treatment of query rows with missing cells, or with categories that the training
// table lacks, which are NaN.
type Missing string

// The treatments.
const (
	// Auto is Average for bundles with their own posterior of all functionals or of class
	// probabilities, and Native for other bundles, which must agree with their original packages.
	Auto Missing = "auto"
	// Average answers with the mean over possible values of the missing cells: see [Donors].
	Average Missing = "average"
	// Native lets the model's pipelines handle missing cells: a number becomes the mean of its
	// column, a category a special code.
	Native Missing = "native"
)

// Ways lists the names of the treatments.
func Ways() []Missing { return []Missing{Auto, Average, Native} }

// Averages reports whether this treatment averages over missing cells for a bundle.
func (m Missing) Averages(bundle models.Manifest) bool {
	if m == Auto || m == "" {
		return bundle.Own()
	}
	return m == Average
}

// Completions is the largest number of completed rows for a query row with missing cells.
const Completions = 16

// knownShare is a share of donors that lack a column's cell. From this share on the network knows
// what a missing cell means.
const knownShare = 0.05

// Donors are rows of a context that lend cells to query rows with missing cells. A query row
// becomes up to [Completions] rows with cells of similar donors, and the network reads them in the
// same run. The distributions and posteriors are mixed (amp.Mixture, amp.MixSurfaces,
// amp.MixClassPosteriors):
//
//	P(y | the present cells) = E P(y | all cells)
//
// A row's answer depends only on its cells, the donors and the seed. Complete rows have the same
// answers as without donors. A nil *Donors completes nothing. Donors are safe for concurrent use.
type Donors struct {
	rows    pfn.Training
	classes int
	seed    uint64
	native  bool // only a companion reads completed rows

	once  sync.Once
	table *donors.Table
}

// Donors returns the donors of a context for a bundle; see [NewDonors]. It returns nil if the
// bundle handles missing cells itself and has no companion: a companion always averages.
func (m Missing) Donors(bundle models.Manifest, t pfn.Training, classes int, seed uint64) *Donors {
	native := !m.Averages(bundle)
	if native && bundle.Companion == nil {
		return nil
	}
	d := NewDonors(t, classes, seed)
	d.native = native
	return d
}

// NewDonors draws the donors from a context. classes is the number of classes, 0 for numbers. The
// seed draws the lent cells.
func NewDonors(t pfn.Training, classes int, seed uint64) *Donors {
	return &Donors{rows: Lenders(t), classes: classes, seed: seed}
}

// made returns the table of the donors. The first row with a missing cell makes it.
func (d *Donors) made() *donors.Table {
	d.once.Do(func() {
		d.table = donors.New(d.rows.X, d.rows.Categorical, d.rows.Y, d.classes)
	})
	return d.table
}

// lends reports whether donors lend cells of a column that has the value v. They do not lend
// missing cells if many of them lack the cell themselves. Then the network has learned what a
// missing cell means, for example that an engine has no turbocharger, and a donor with the cell
// knows nothing about that. In other columns the mean is better. A category that the training table
// lacks, which is NaN, is not missing: donors always lend it. So is a cell that is unknown.
func (d *Donors) lends(column int, v float64) bool {
	category := column < len(d.rows.Categorical) && d.rows.Categorical[column]
	if !(math.IsNaN(v) || v < 0 && category) {
		return false // the cell is not missing
	}
	if rows.IsUnknown(v) || math.IsNaN(v) && category {
		return d.made().Missing(column) < d.rows.X.Rows
	}
	return float64(d.made().Missing(column))/float64(d.rows.X.Rows) < knownShare
}

// lacking lists, by row, the cells that donors lend, as donors.Table.Lender takes them. It returns
// nil if there are none.
func (d *Donors) lacking(x pfn.Matrix) [][]int {
	if d.rows.X.Rows == 0 {
		return nil
	}
	var all [][]int
	for k, v := range x.Data {
		if row, j := k/x.Cols, k%x.Cols; d.lends(j, v) {
			if all == nil {
				all = make([][]int, x.Rows)
			}
			if rows.IsUnknown(v) { // it may be missing too
				j = ^j
			}
			all[row] = append(all[row], j)
		}
	}
	return all
}

// Predictions returns a network's predictions of query rows for the methods of package amp, with
// missing cells completed; nil donors complete none. Every PPD is a distr.PPD, of a classifier a
// distr.Classes. With own, it also returns the network's own posterior, from the same run, if the
// bundle has one. Errors are those of pfn.Context.Predict.
func (d *Donors) Predictions(
	ctx context.Context, c *pfn.Context, x pfn.Matrix, own bool,
) ([]amp.Prediction, error) {
	rows, err := d.complete(ctx, c, x, own)
	if err == nil {
		parts := slices.Collect(slices.Chunk(rows, agreeRows))
		err = panics.Each(len(parts), func(i int) { agree(parts[i], own) })
	}
	if err == nil && own {
		err = d.accompany(ctx, c, x, rows)
	}
	return rows, err
}

// accompany adds what the companion of a network says of its posterior.
func (d *Donors) accompany(
	ctx context.Context, c *pfn.Context, x pfn.Matrix, rows []amp.Prediction,
) error {
	with, err := c.Companion(ctx)
	if with == nil || err != nil {
		return err
	}
	said, err := d.Predictions(ctx, with, x, true)
	if err != nil {
		return err
	}
	return panics.Each(len(rows), func(i int) {
		rows[i].Own = amp.Accompany(rows[i].PPD, said[i])
	})
}

// Separate is [Donors.Predictions] with label and surface unchanged from the network. They may
// contradict each other.
func (d *Donors) Separate(
	ctx context.Context, c *pfn.Context, x pfn.Matrix,
) ([]amp.Prediction, error) {
	return d.complete(ctx, c, x, false)
}

// runRows is the largest number of rows that the network reads at a time if some are completed.
const runRows = 2048

// complete predicts rows, those with missing cells by their completed rows.
func (d *Donors) complete(
	ctx context.Context, c *pfn.Context, x pfn.Matrix, own bool,
) ([]amp.Prediction, error) {
	var lacking [][]int
	if d != nil && (!d.native || c.Model().Own()) {
		lacking = d.lacking(x)
	}
	if lacking == nil || c.Members() == 0 {
		return read(ctx, c, x, own)
	}
	lenders, err := d.lenders(lacking)
	if err != nil {
		return nil, err
	}
	scores, err := c.Tell(x) // trees know what a missing cell tells
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
		p, err := d.plan(x.Span(first, last), scores.Span(first, last), lacking[first:last], lenders)
		if err != nil {
			return nil, err
		}
		made, err := read(ctx, c, p.x, own)
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

// lenders prepares the donors for all sets of cells that rows lack.
func (d *Donors) lenders(lacking [][]int) (map[string]*donors.Lender, error) {
	found, sets := map[string]*donors.Lender{}, [][]int{}
	for _, columnsOf := range lacking {
		if key := fmt.Sprint(columnsOf); columnsOf != nil && found[key] == nil {
			found[key] = new(donors.Lender)
			sets = append(sets, columnsOf)
		}
	}
	err := panics.Each(len(sets), func(i int) {
		*found[fmt.Sprint(sets[i])] = *d.made().Lender(sets[i])
	})
	return found, err
}
