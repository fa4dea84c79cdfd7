package check

import (
	"cmp"
	"errors"
	"slices"

	"github.com/pfnamp/pfnamp"
	"github.com/pfnamp/pfnamp/drift"
	"github.com/pfnamp/pfnamp/evaluate"
	"github.com/pfnamp/pfnamp/internal/rows"
	"github.com/pfnamp/pfnamp/pfn"
	"github.com/pfnamp/pfnamp/tabular"
)

// Batch is a query table that has been read and encoded.
type Batch struct {
	File string
	tabular.Features
	Labels []float64 // by row, NaN for none
}

// Read encodes the rows of a table. The error is a *tabular.Error.
func Read(s *tabular.Schema, t *tabular.Table) (Batch, error) {
	b := Batch{File: t.File}
	b.Cols = s.Width()
	for _, part := range t.Batches {
		f, err := s.Features(part)
		if err != nil {
			return b, err
		}
		b.Append(f)
		b.Labels = append(b.Labels, s.Observed(part)...)
	}
	return b, nil
}

// AddAnswer appends the rows of an answer, without labels.
func (b *Batch) AddAnswer(a *pfnamp.Answer) {
	f := tabular.Features{Unseen: a.Tally.Unseen, Outside: a.Tally.Outside}
	for i := range a.Rows() {
		row := a.Features(i)
		f.Rows, f.Cols, f.Data = f.Rows+1, len(row), append(f.Data, row...)
	}
	if f.Rows > 0 {
		b.Append(f)
	}
}

// labelled are the rows that have a label, and their labels, without those that f has read.
func (b Batch) labelled(f *pfnamp.Fitted) (at []int, y []float64) {
	for i, v := range b.Labels {
		if v == v && !f.Read(b.Matrix, i, v) {
			at, y = append(at, i), append(y, v)
		}
	}
	return at, y
}

// Labelled returns the number of rows with a label.
func (b Batch) Labelled() int {
	at, _ := b.labelled(&pfnamp.Fitted{})
	return len(at)
}

// Column is the result for one column of the table. Shares are of the cells of the batch, in
// [0, 1].
type Column struct {
	Name string `json:"column"`
	// P is drift.Column.P, null if there are too few rows for a test.
	P     evaluate.Number `json:"p"`
	Shift evaluate.Number `json:"shift"` // of the mean, in standard deviations of the context
	// Missing is the share of cells without a value in the batch. A new category counts as missing.
	Missing evaluate.Number `json:"missing"`
	// MissingAtFit is the share of cells without a value in the context.
	MissingAtFit evaluate.Number `json:"missing_at_fit"`
	// New is the share of cells with a category that the context lacks.
	New     evaluate.Number `json:"new"`
	Outside evaluate.Number `json:"outside"` // share of cells outside the training range
}

// Features compares the features of a batch with those of a context. With fewer rows than
// drift.LeastRows on either side it tests nothing: P, AUC and the figures that depend on them are
// NaN. The error is that of drift.Compare.
func Features(s *tabular.Schema, context pfn.Training, b Batch, seed uint64) (r Report, err error) {
	r = Report{File: b.File, Context: context.X.Rows, Rows: b.Rows}
	kept := r.setApart(s, context.X, b.Matrix)
	batch := b.Take(rows.Order(b.Matrix, make([]float64, b.Rows))) // whatever the order of the rows
	found, err := drift.Compare(context.X.Pick(kept), batch.Pick(kept), picked(context.Categorical,
		kept), seed)
	_, few := errors.AsType[*drift.RowsError](err)
	if err != nil && !few {
		return r, err
	}
	r.AUC, r.AUCLo, r.AUCHi, r.P, r.Drift, r.Effective, r.Supported = nan, nan, nan, nan, nan, nan, nan
	if !few {
		r.AUC, r.AUCLo, r.AUCHi = number(found.AUC), number(found.Lo), number(found.Hi)
		r.P, r.Drift = number(found.P), number(found.Drift)
		r.Effective, r.Supported = number(found.Effective), number(found.Supported)
	}
	n := float64(max(1, b.Rows))
	for j, encoded := range s.Encoded() {
		if encoded.Part != "" { // of a date, whose own column is there
			continue
		}
		c := Column{Name: encoded.Name, P: nan, Shift: nan, Missing: nan, MissingAtFit: nan,
			New: number(float64(b.Unseen[encoded.Name]) / n), Outside: number(float64(
				b.Outside[encoded.Name]) / n)}
		if at := slices.Index(kept, j); !few && at >= 0 {
			f := found.Columns[at]
			c.P, c.Shift, c.MissingAtFit, c.Missing = number(f.P), number(f.Shift), number(f.Missing[0]),
				number(f.Missing[1])
		}
		r.Columns = append(r.Columns, c)
	}
	slices.SortStableFunc(r.Columns, func(a, b Column) int { // NaN, of no test, last
		return cmp.Compare(-b.P, -a.P)
	})
	return r, nil
}

// setApart lists the encoded columns that are compared, and adds to Later the columns of dates that
// in the batch are all after those of the context, as those of new rows must be.
func (r *Report) setApart(s *tabular.Schema, context, batch pfn.Matrix) (kept []int) {
	for j, c := range s.Encoded() {
		if c.Part == "" && (c.Kind == tabular.Date || c.Kind == tabular.Timestamp) {
			was, now := present(context, j), present(batch, j)
			if len(was) > 0 && len(now) > 0 && slices.Min(now) > slices.Max(was) {
				r.Later = append(r.Later, c.Name)
			}
		}
	}
	for j, c := range s.Encoded() {
		if !slices.Contains(r.Later, c.Name) {
			kept = append(kept, j)
		}
	}
	if kept == nil { // nothing else could differ
		r.Later = nil
		for j := range s.Encoded() {
			kept = append(kept, j)
		}
	}
	return kept
}

// present lists the numbers of a column.
func present(x pfn.Matrix, j int) []float64 {
	return slices.DeleteFunc(x.Column(nil, j), func(v float64) bool { return v != v })
}

// picked takes the marks of some columns.
func picked(marks []bool, columns []int) (some []bool) {
	for _, j := range columns {
		some = append(some, marks[j])
	}
	return some
}
