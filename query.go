package pfnamp

import (
	"context"
	"math"

	"github.com/pfnamp/pfnamp/amp"
	"github.com/pfnamp/pfnamp/internal/govalues"
	"github.com/pfnamp/pfnamp/pfn"
	"github.com/pfnamp/pfnamp/tabular"
	"github.com/pfnamp/pfnamp/warning"
)

// Query is a run of query rows as the network reads them, of which [Predictor.Answers] takes any
// number. It does not change and holds no part of the batch that it was made of.
type Query struct {
	features tabular.Features
	known    int
	file     string
	first    int64 // index of the first row in its file
	groups   []int // of conformal predictions, nil without
	warnings []warning.Warning
}

// Rows answers for rows of Go values: a []map[string]any, or a slice of structs; see [Table]. A
// feature that no row names is an error. Errors are those of Table and Predict.
func (p *Predictor) Rows(ctx context.Context, rows any) (*Answer, error) {
	batch, err := p.Batch(rows)
	if err != nil {
		return nil, err
	}
	return p.Predict(ctx, batch)
}

// Batch makes a batch of Go values, as [Predictor.Rows] takes them. Errors are those of [Table], and
// a *tabular.Error about a feature that no row names. An empty list of maps names no columns: it
// becomes a row of missing cells, which is cut away.
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

// Table makes a table of Go values: a []map[string]any whose keys are columns, in order of name, or
// a slice of structs or of pointers to structs, whose exported fields are columns, in their order.
// The tag `pfnamp:"name"` renames a column, and "-" leaves it out.
//
// Cells are numbers, strings, bools, time.Time, pointers to these, or nil. A cell is missing where
// it is nil, where a row lacks the key, and where the pointer of an embedded struct is nil. The
// error is a *tabular.Error, which names row and column, on values of other types and of different
// types in one column, on times outside of the years 1678 to 2261, on rows that are nil pointers,
// and on an empty list of maps, which names no columns.
func Table(name string, rows any) (*tabular.Table, error) { return govalues.Table(name, rows) }

// Encode makes the rows of a batch ready for the network; columns are matched by name. Errors are a
// *tabular.Error about a column or cell.
func (p *Predictor) Encode(b *tabular.Batch) (*Query, error) {
	schema := p.fitted.schema
	features, err := schema.Features(b)
	if err != nil {
		return nil, err
	}
	q := &Query{features: features, known: p.fitted.told().Known(features.Matrix), file: b.File,
		first: b.First}
	if q.groups, err = p.groups(b); err != nil {
		return nil, err
	}
	lacking := warning.MissingCells{Averaged: p.donors != nil, File: schema.File}
	for j, c := range schema.Columns {
		n := features.Unseen[c.Name]
		if n > 0 {
			q.warnings = append(q.warnings, warning.UnseenCategories{Column: c.Name, Cells: n,
				File: schema.File})
		}
		n = missingCells(features.Matrix, j, len(c.Categories) > 0) - n
		if n > 0 && c.Missing == 0 {
			lacking.Columns = append(lacking.Columns, warning.ColumnCells{Column: c.Name, Cells: n})
		}
	}
	if lacking.Columns != nil {
		lacking.Order()
		q.warnings = append(q.warnings, lacking)
	}
	return q, nil
}

// Encoded makes rows that are encoded already ready for the network, such as those of
// [Fitted.ContextRows] with other cells. The query keeps the matrix, which the caller must not
// change. It panics unless the matrix has a column per feature: see tabular.Schema.Encoded.
func (p *Predictor) Encoded(x pfn.Matrix) *Query {
	if x.Cols != p.fitted.schema.Width() {
		panic("pfnamp: Encoded needs a column per feature")
	}
	return &Query{features: tabular.Features{Matrix: x}}
}

// missingCells counts the cells of a feature that are missing or unseen.
func missingCells(x pfn.Matrix, column int, categorical bool) (n int) {
	for i := range x.Rows {
		if v := x.Data[i*x.Cols+column]; math.IsNaN(v) || categorical && v < 0 {
			n++
		}
	}
	return n
}

// Rows is the number of rows.
func (q *Query) Rows() int { return q.features.Rows }

// Failed names the rows of a query that the network has failed at.
func (q *Query) Failed(err error) *RowsError {
	return &RowsError{File: q.file, First: q.first + 1, Last: q.first + int64(q.Rows()), Err: err}
}

// Answers answers for several queries, which the network reads together: as a run of it costs more
// than a row, this is faster than one call each. Every answer has the bits that its query has
// alone, as a row's do not depend on its neighbours. Errors are those of [Predictor.Predict] about
// the network, and concern all queries.
func (p *Predictor) Answers(ctx context.Context, queries ...*Query) ([]*Answer, error) {
	x := joined(queries, p.fitted.schema.Width())
	whole, err := p.answer(ctx, x, groupsOf(queries, x))
	if err != nil {
		return nil, err
	}
	answers, first := make([]*Answer, len(queries)), 0
	for i, q := range queries {
		a := whole.part(first, first+q.Rows())
		a.Notes, a.Outside = q.features.Notes, q.features.Outside
		a.Known, a.Warnings = q.known, q.warnings
		for _, group := range q.groups {
			if group == noGroup {
				a.NewGroups++
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

// joined are the features of several queries, one below the other.
func joined(queries []*Query, columns int) pfn.Matrix {
	if len(queries) == 1 {
		return queries[0].features.Matrix
	}
	rows := 0
	for _, q := range queries {
		rows += q.Rows()
	}
	x := pfn.Matrix{Rows: rows, Cols: columns, Data: make([]float64, 0, rows*columns)}
	for _, q := range queries {
		x.Data = append(x.Data, q.features.Data...)
	}
	return x
}

// part is the answer for a range of rows.
func (a *Answer) part(first, last int) *Answer {
	cut := &Answer{Predictions: a.Predictions[first:last], x: a.x.Span(first, last),
		fallen: a.fallen[first:last], Predictive: span(a.Predictive, first, last),
		Best: span(a.Best, first, last), Sets: span(a.Sets, first, last)}
	for _, under := range a.Posteriors {
		cut.Posteriors = append(cut.Posteriors,
			Estimated{under.Name, spans(under.Estimates, first, last)})
	}
	for _, fell := range cut.fallen {
		if fell {
			cut.FellBack++
		}
	}
	return cut
}

// span is a range of a list, nil of none.
func span[T any](list []T, first, last int) []T {
	if list == nil {
		return nil
	}
	return list[first:last]
}

// spans are the estimates of a range of rows.
func spans(estimates [][]amp.Estimate, first, last int) [][]amp.Estimate {
	cut := make([][]amp.Estimate, len(estimates))
	for i, rows := range estimates {
		cut[i] = rows[first:last]
	}
	return cut
}
