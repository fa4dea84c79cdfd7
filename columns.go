package pfnamp

import (
	"fmt"
	"slices"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/memory"

	"github.com/pfnamp/pfnamp/amp"
	"github.com/pfnamp/pfnamp/heldout"
	"github.com/pfnamp/pfnamp/tabular"
)

// classColumn is the column of the most probable class.
const classColumn = "class"

// Layout names the columns of answers. Every functional has NAME, NAME_lo and NAME_hi. Errors add
// NAME_lo_se and NAME_hi_se, bands NAME_band_lo and NAME_band_hi. Changes add NAME_set and
// NAME_diff with their limits, and NAME_diff_above0. Every further posterior OTHER adds
// NAME_OTHER_lo and NAME_OTHER_hi. The predictive interval pi_lo, pi_hi comes last. Answers about
// classes begin with class, the most probable one, and have no predictive interval. Statistics of
// the label's own distribution follow as ppd_NAME, drawn labels as sample_1, sample_2, ... Sets add
// set, the labels as [SetText] joins them, and set_size, their number.
type Layout struct {
	Prefix     string          // prefix of every name
	Names      []string        // of the functionals
	Labels     *tabular.Labels // of classes, or nil
	Posteriors []Posterior
	Errors     bool
	Bands      bool
	Changes    bool     // changed rows, see Answer.Changes
	Conformal  bool     // predictive intervals, or sets of classes
	Label      []string // statistics of the label's own distribution
	Samples    int      // drawn labels
}

// Layout names the columns of answers to a complete question.
func (q Question) Layout(s *tabular.Schema) Layout {
	l := Layout{Names: q.Names(s), Labels: s.Labels, Posteriors: q.Posteriors, Errors: q.Errors,
		Samples: q.Samples, Conformal: q.Predictive == ConformalInterval}
	for _, statistic := range q.Label {
		l.Label = append(l.Label, statistic.String())
	}
	return l
}

// ColumnError reports a column name that would occur twice.
type ColumnError struct{ Name string }

// Error names the column and the remedy.
func (e *ColumnError) Error() string {
	return fmt.Sprintf("output column %q exists twice: rename the computed columns with a prefix, "+
		"or drop one", e.Name)
}

// column is a column of answers.
type column struct {
	name string // without the prefix
	typ  arrow.DataType
	of   func(a *Answer) (arrow.Array, error)
}

// columns lists the columns in order.
func (l Layout) columns() []column {
	task := Task{l.Labels}
	all := task.before()
	for f, name := range l.Names {
		all = append(all, l.estimates(f, name)...)
	}
	return slices.Concat(all, task.after(l.Conformal), l.labelColumns())
}

// Classes lists the labels, nil for numbers.
func (l Layout) Classes() []string { return Task{l.Labels}.Classes() }

// estimates returns the columns of a functional.
func (l Layout) estimates(f int, name string) []column {
	of := func(a *Answer, row int) amp.Estimate { return a.Posteriors[0].Estimates[f][row] }
	all := interval(name, of)
	if l.Errors {
		all = append(all,
			numberColumn(name+"_lo_se", func(a *Answer, row int) float64 { return of(a, row).LoSE }),
			numberColumn(name+"_hi_se", func(a *Answer, row int) float64 { return of(a, row).HiSE }))
	}
	if l.Bands {
		all = append(all, limits(name+"_band",
			func(a *Answer, row int) amp.Estimate { return a.Bands[f][row] })...)
	}
	if l.Changes {
		of := func(a *Answer, row int) Change { return a.Changes[f][row] }
		all = slices.Concat(all,
			interval(name+"_set", func(a *Answer, row int) amp.Estimate { return of(a, row).Changed }),
			interval(name+"_diff", func(a *Answer, row int) amp.Estimate { return of(a, row).Difference }),
			[]column{numberColumn(name+"_diff_above0",
				func(a *Answer, row int) float64 { return of(a, row).Above })})
	}
	for k, other := range l.Posteriors[1:] {
		all = append(all, limits(name+"_"+string(other),
			func(a *Answer, row int) amp.Estimate { return a.Posteriors[k+1].Estimates[f][row] })...)
	}
	return all
}

// interval returns the columns of estimates with their limits.
func interval(name string, of func(a *Answer, row int) amp.Estimate) []column {
	point := numberColumn(name, func(a *Answer, row int) float64 { return of(a, row).Point })
	return append([]column{point}, limits(name, of)...)
}

// limits returns the columns of the limits of estimates.
func limits(name string, of func(a *Answer, row int) amp.Estimate) []column {
	return []column{
		numberColumn(name+"_lo", func(a *Answer, row int) float64 { return of(a, row).Lo }),
		numberColumn(name+"_hi", func(a *Answer, row int) float64 { return of(a, row).Hi }),
	}
}

// Columns lists the names in order. It fails with a *ColumnError.
func (l Layout) Columns() ([]string, error) {
	var names []string
	for _, c := range l.columns() {
		names = append(names, l.Prefix+c.name)
	}
	return names, CheckColumns(names)
}

// CheckColumns fails with a *ColumnError if a name occurs twice.
func CheckColumns(names []string) error {
	seen := map[string]bool{}
	for _, name := range names {
		if seen[name] {
			return &ColumnError{name}
		}
		seen[name] = true
	}
	return nil
}

// Fields lists the columns with their types: float64, the labels' type for classes, text for sets,
// and int64 for their sizes. It fails with a *ColumnError.
func (l Layout) Fields() ([]arrow.Field, error) {
	names, err := l.Columns()
	fields := make([]arrow.Field, len(names))
	for i, c := range l.columns() {
		fields[i] = arrow.Field{Name: names[i], Type: c.typ, Nullable: true}
	}
	return fields, err
}

// Arrays returns the columns of an answer, in the order of Fields.
func (l Layout) Arrays(a *Answer) ([]arrow.Array, error) {
	var arrays []arrow.Array
	for _, c := range l.columns() {
		made, err := c.of(a)
		if err != nil {
			return nil, err
		}
		arrays = append(arrays, made)
	}
	return arrays, nil
}

// Record returns an answer as an Arrow record batch with the columns of a layout, in its order. The
// caller must release it.
func (p *Predictor) Record(a *Answer) (arrow.RecordBatch, error) {
	layout := p.Layout()
	fields, err := layout.Fields()
	if err != nil {
		return nil, err
	}
	columns, err := layout.Arrays(a)
	if err != nil {
		return nil, err
	}
	return array.NewRecordBatch(arrow.NewSchema(fields, nil), columns, int64(a.Rows())), nil
}

// labelColumns returns the columns about the distribution of the label itself.
func (l Layout) labelColumns() (columns []column) {
	for s, statistic := range l.Label {
		columns = append(columns, numberColumn("ppd_"+statistic,
			func(a *Answer, row int) float64 { return a.Label[s][row] }))
	}
	for s := range l.Samples {
		columns = append(columns, column{fmt.Sprintf("sample_%d", s+1), l.SampleType(),
			func(a *Answer) (arrow.Array, error) {
				return l.SampleArray(a.Rows(), func(i int) float64 { return a.Samples[i][s] })
			}})
	}
	return columns
}

// SampleType returns the type of drawn labels: the labels' type for classes, otherwise float64.
func (l Layout) SampleType() arrow.DataType {
	if l.Labels == nil {
		return arrow.PrimitiveTypes.Float64
	}
	return labelType(l.Labels)
}

// SampleArray returns a column of drawn labels; for classes, label returns the number of the class.
func (l Layout) SampleArray(n int, label func(i int) float64) (arrow.Array, error) {
	if l.Labels == nil {
		return floatArray(n, label), nil
	}
	of := make([]int, n)
	for i := range of {
		of[i] = int(label(i))
	}
	return labelArray(l.Labels, of)
}

// floatArray is a column of numbers.
func floatArray(rows int, value func(row int) float64) arrow.Array {
	builder := array.NewFloat64Builder(memory.DefaultAllocator)
	defer builder.Release()
	builder.Reserve(rows)
	for i := range rows {
		builder.UnsafeAppend(value(i))
	}
	return builder.NewArray()
}

// numberColumn returns a column with one number a row.
func numberColumn(name string, value func(a *Answer, row int) float64) column {
	return column{name, arrow.PrimitiveTypes.Float64, func(a *Answer) (arrow.Array, error) {
		return floatArray(a.Rows(), func(row int) float64 { return value(a, row) }), nil
	}}
}

// labelType returns the type of the column of classes: that of the labels.
func labelType(labels *tabular.Labels) arrow.DataType {
	switch labels.Kind {
	case tabular.Numeric:
		return arrow.PrimitiveTypes.Int64
	case tabular.Boolean:
		return arrow.FixedWidthTypes.Boolean
	}
	return arrow.BinaryTypes.String
}

// labelArray returns a column of classes. It fails if a label in a column of whole numbers is not a
// number.
func labelArray(labels *tabular.Labels, classes []int) (arrow.Array, error) {
	builder := array.NewBuilder(memory.DefaultAllocator, labelType(labels))
	defer builder.Release()
	for _, k := range classes {
		if texts, ok := builder.(*array.StringBuilder); ok { // which may be (null)
			texts.Append(labels.Texts[k])
		} else if err := builder.AppendValueFromString(labels.Texts[k]); err != nil {
			return nil, err
		}
	}
	return builder.NewArray(), nil
}

// setArray returns the column of sets of classes, with labels joined like in heldout.SetText.
func setArray(labels *tabular.Labels, sets [][]int) arrow.Array {
	texts := array.NewStringBuilder(memory.DefaultAllocator)
	defer texts.Release()
	for _, set := range sets {
		of := make([]string, len(set))
		for i, class := range set {
			of[i] = labels.Texts[class]
		}
		texts.Append(heldout.SetText(of))
	}
	return texts.NewArray()
}

// sizeArray returns the column of the sizes of sets.
func sizeArray(sets [][]int) arrow.Array {
	sizes := array.NewInt64Builder(memory.DefaultAllocator)
	defer sizes.Release()
	for _, set := range sets {
		sizes.Append(int64(len(set)))
	}
	return sizes.NewArray()
}
