package pfnamp

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/pfnamp/pfnamp/amp"
	"github.com/pfnamp/pfnamp/distr"
	"github.com/pfnamp/pfnamp/heldout"
	"github.com/pfnamp/pfnamp/internal/panics"
	"github.com/pfnamp/pfnamp/internal/rows"
	"github.com/pfnamp/pfnamp/pfn"
	"github.com/pfnamp/pfnamp/tabular"
	"github.com/pfnamp/pfnamp/tabular/govalues"
	"github.com/pfnamp/pfnamp/warning"
)

// Query holds encoded query rows. [Predictor.Answers] takes any number of queries. A Query is
// immutable and does not keep the batch that it was made from.
type Query struct {
	features tabular.Features
	tally    warning.Tally
	file     string
	first    int64 // index of the first row in its file
	groups   []int // of conformal predictions, nil if there are none
}

// Rows answers rows of Go values: a []map[string]any, or a slice of structs; see [Table]. It fails
// if no row names a feature, and with the errors of Table and Predict.
func (p *Predictor) Rows(ctx context.Context, rows any) (*Answer, error) {
	batch, err := p.Batch(rows)
	if err != nil {
		return nil, err
	}
	return p.Predict(ctx, batch)
}

// Batch makes a batch from Go values, as in [Predictor.Rows]. It fails with the errors of [Table],
// and with a *tabular.Error about a feature that no row names. An empty list of maps names no
// columns; Batch then returns a batch without rows.
func (p *Predictor) Batch(rows any) (*tabular.Batch, error) {
	list, ok := rows.([]map[string]any)
	empty := ok && len(list) == 0
	if empty {
		missing := map[string]any{}
		for _, name := range p.fitted.schema.FeatureNames() {
			missing[name] = nil
		}
		rows = []map[string]any{missing}
	}
	t, err := Table("rows", rows)
	if err != nil {
		return nil, err
	}
	if _, err := p.fitted.schema.Match(t.File, t.Names()); err != nil {
		return nil, err
	}
	b := t.Batches[0]
	if empty {
		b.Record = b.Record.NewSlice(0, 0)
	}
	return b, nil
}

// Table makes a table from Go values: a []map[string]any whose keys are columns, in order of name,
// or a slice of structs or of pointers to structs, whose exported fields are columns, in their
// order. The tag `pfnamp:"name"`, or else `json:"name"`, renames a column, and "-" leaves it out.
//
// Cells are numbers, strings, bools, time.Time, pointers to these, or nil. A cell is missing if it
// is nil, if a row lacks the key, or if the pointer of an embedded struct is nil. Table fails with
// a *tabular.Error that names row and column: for values of other types, different types in one
// column, times outside the years 1678 to 2261, rows that are nil pointers, and an empty list of
// maps, because it names no columns.
func Table(name string, rows any) (*tabular.Table, error) { return govalues.Table(name, rows) }

// Encode encodes the rows of a batch; it matches columns by name. It fails with a *tabular.Error
// about a column or cell.
func (p *Predictor) Encode(b *tabular.Batch) (*Query, error) {
	schema := p.fitted.schema
	features, err := schema.Features(b)
	if err != nil {
		return nil, err
	}
	q := &Query{features: features, tally: warning.Count(schema, features), file: b.File,
		first: b.First}
	q.tally.Known = p.fitted.read.Known(features.Matrix)
	q.groups, err = p.groups(b)
	return q, err
}

// RefuseNew returns a *tabular.Error if most rows of a query table have a category in a column that
// the training table lacks, as tabular.Schema.RefuseNew, unless Question.AllowNew accepts them. The
// tally is that of all answers for the table.
func (p *Predictor) RefuseNew(file string, t warning.Tally) error {
	if p.question.AllowNew {
		return nil
	}
	for _, column := range slices.Sorted(maps.Keys(t.Unseen)) {
		err := p.fitted.schema.RefuseNew(file, column, t.Unseen[column], t.Counted,
			t.UnseenValues[column])
		if err != nil {
			return err
		}
	}
	return nil
}

// Encoded makes a query from rows that are already encoded, for example those of
// [Fitted.ContextRows] with other cells. The query keeps the matrix; do not change it. Encoded
// panics unless the matrix has a column per feature: see tabular.Schema.Encoded.
func (p *Predictor) Encoded(x pfn.Matrix) *Query {
	if x.Cols != p.fitted.schema.Width() {
		panic("pfnamp: Encoded needs a column per feature")
	}
	return &Query{features: tabular.Features{Matrix: x}, tally: warning.Tally{Counted: x.Rows}}
}

// Rows returns the number of rows.
func (q *Query) Rows() int { return q.features.Rows }

// Failed returns an error that names the rows of the query at which the network failed.
func (q *Query) Failed(err error) *RowsError {
	return &RowsError{File: q.file, First: q.first + 1, Last: q.first + int64(q.Rows()), Err: err}
}

// Answers answers several queries in one run of the network. A run costs more than a row, so this
// is faster than one call each. Every answer has the bits of its query alone, because a row's
// answer does not depend on its neighbours. Errors are those of [Predictor.Predict] about the
// network, and concern all queries.
func (p *Predictor) Answers(ctx context.Context, queries ...*Query) ([]*Answer, error) {
	x, groups := joined(queries, p.fitted.schema.Width())
	whole, err := p.answer(ctx, x, groups)
	if err != nil {
		return nil, err
	}
	answers, first := make([]*Answer, len(queries)), 0
	for i, q := range queries {
		a := whole.part(first, first+q.Rows())
		a.Tally = q.tally
		for _, fell := range a.fallen {
			if fell {
				a.Tally.FellBack++
			}
		}
		for _, group := range q.groups {
			if group == heldout.NoGroup {
				a.Tally.NewGroups++
			}
		}
		if err := p.describeLabels(a, q.first); err != nil {
			return nil, err
		}
		answers[i] = a
		first += q.Rows()
	}
	return answers, nil
}

// groups returns the groups of query rows, nil if rows have none.
func (p *Predictor) groups(b *tabular.Batch) ([]int, error) {
	schema := p.fitted.schema
	column := p.question.GroupColumn(schema)
	if p.conformal == nil || column == "" {
		return nil, nil
	}
	names, err := heldout.GroupNames(schema, b, column)
	if err != nil {
		return nil, err
	}
	groups := make([]int, len(names))
	for i, name := range names {
		groups[i] = p.conformal.Group(name)
	}
	return groups, nil
}

// joined returns the features of several queries, one below the other, and the groups of the rows.
func joined(queries []*Query, columns int) (x pfn.Matrix, groups []int) {
	x.Cols = columns
	for _, q := range queries {
		x.Rows += q.Rows()
		groups = append(groups, q.groups...)
	}
	if groups == nil {
		groups = make([]int, x.Rows)
	}
	if len(queries) == 1 {
		return queries[0].features.Matrix, groups
	}
	x.Data = make([]float64, 0, x.Rows*columns)
	for _, q := range queries {
		x.Data = append(x.Data, q.features.Data...)
	}
	return x, groups
}

// part is the answer for a range of rows.
func (a *Answer) part(first, last int) *Answer {
	cut := &Answer{Predictions: a.Predictions[first:last], x: a.x.Span(first, last), names: a.names,
		fallen: a.fallen[first:last], Predictive: span(a.Predictive, first, last),
		Best: span(a.Best, first, last), Sets: span(a.Sets, first, last)}
	for _, under := range a.Posteriors {
		of := make([][]amp.Estimate, len(under.Estimates))
		for f, estimates := range under.Estimates {
			of[f] = estimates[first:last]
		}
		cut.Posteriors = append(cut.Posteriors, Estimated{under.Name, of})
	}
	return cut
}

// span returns a range of a list, nil if the list is nil.
func span[T any](list []T, first, last int) []T {
	if list == nil {
		return nil
	}
	return list[first:last]
}

// describeLabels computes the label statistics and samples of the question.
func (p *Predictor) describeLabels(a *Answer, first int64) error {
	q := p.question
	if q.Label == nil && q.Samples == 0 {
		return nil
	}
	a.Label = make([][]float64, len(q.Label))
	for s := range a.Label {
		a.Label[s] = make([]float64, a.Rows())
	}
	if q.Samples > 0 {
		a.Samples = make([][]float64, a.Rows())
	}
	return panics.Each(a.Rows(), func(i int) {
		ppd := a.Predictions[i].PPD
		for s, statistic := range q.Label {
			a.Label[s][i] = statistic.Point(ppd)
		}
		if q.Samples > 0 {
			a.Samples[i] = amp.DrawLabels(ppd, q.Samples, q.Seed, rows.Hash(a.x, i)+uint64(first)+uint64(i))
		}
	})
}

// Change is a functional of a row with other cells, and its difference.
type Change struct {
	Changed    amp.Estimate
	Difference amp.Estimate // changed minus original, with its credible interval
	Above      float64      // posterior probability that the difference is above 0
}

// Answer holds the answers about query rows.
type Answer struct {
	Posteriors []Estimated // in the order of Question.Posteriors
	// Bands are the limits of simultaneous bands, by functional and row, nil unless the caller has
	// set them; see At.
	Bands      [][]amp.Estimate
	Changes    [][]Change // by functional and row, nil unless the caller has set them: package explain
	Predictive []Interval // of a label, by row; nil for classes
	Best       []int      // the most probable class, by row; nil for numbers
	// Sets are the classes of the conformal set of every row, in ascending order, Best among them;
	// nil for numbers, and unless Question.Predictive is ConformalInterval.
	Sets [][]int
	// Label has the statistics of the label's own distribution, by Question.Label and row. Samples
	// has labels drawn from it, by row: numbers, or classes as in Best.
	Label, Samples [][]float64

	Predictions []amp.Prediction // by row
	Tally       warning.Tally    // what is odd about the rows, see [Predictor.Warnings]

	names  []string // of the functionals
	x      pfn.Matrix
	fallen []bool // rows counted in Tally.FellBack
}

// Of returns the estimates of a functional, or of the probability of a class, by its name in the
// columns of answers ("mean", "q0.9", "p=high"): by row, under the first posterior. It is nil if
// the question did not ask for it.
func (a *Answer) Of(name string) []amp.Estimate {
	if f := slices.Index(a.names, name); f >= 0 {
		return a.Posteriors[0].Estimates[f]
	}
	return nil
}

// Estimated holds the estimates under one posterior.
type Estimated struct {
	Name      Posterior
	Estimates [][]amp.Estimate // by functional and row
}

// Rows is the number of rows.
func (a *Answer) Rows() int { return len(a.Predictions) }

// Interval is an interval of numbers, Lo <= Hi.
type Interval = distr.Interval

// Features returns the encoded cells of a row: NaN is missing, a category is its number.
func (a *Answer) Features(row int) []float64 { return a.x.Row(row) }

// prediction returns the input of a method at a row. At rows of FellBack, Auto does not see the
// network's own posterior; other methods do.
func (a *Answer) prediction(method method, row int) amp.Prediction {
	p := a.Predictions[row]
	if method.name == Auto && a.fallen[row] {
		p.Own = nil
	}
	return p
}

// RowsError reports at which query rows the network failed.
type RowsError struct {
	File        string
	First, Last int64 // from 1
	Err         error
}

// Error names the rows and the cause.
func (e *RowsError) Error() string {
	return fmt.Sprintf("predicting rows %d to %d of %s: %v", e.First, e.Last, e.File, e.Err)
}

// Unwrap returns the cause.
func (e *RowsError) Unwrap() error { return e.Err }
