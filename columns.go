package pfnamp

import (
	"fmt"
	"strconv"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/memory"

	"github.com/pfnamp/pfnamp/tabular"
)

// classColumn is the column of the most probable class.
const classColumn = "class"

// Layout names the columns of answers: for every functional NAME, NAME_lo, NAME_hi, with errors
// NAME_lo_se, NAME_hi_se, with bands NAME_band_lo, NAME_band_hi, of every posterior OTHER but the
// first NAME_OTHER_lo, NAME_OTHER_hi, and at the end pi_lo, pi_hi, the predictive interval; of classes
// first class, the most probable one, and no predictive interval. Statistics of the label's own
// distribution follow as ppd_NAME, drawn labels as sample_1, sample_2, ...; with sets at the end set, the
// labels as [SetText] joins them, and set_size, their number.
type Layout struct {
	Prefix     string          // put before every name
	Names      []string        // of the functionals
	Labels     *tabular.Labels // of classes, or nil
	Posteriors []Posterior
	Errors     bool
	Bands      bool
	Label      []string // statistics of the label's own distribution
	Samples    int      // drawn labels
	Sets       bool     // of classes
}

// Layout names the columns of answers to a question that is complete.
func (q Question) Layout(s *tabular.Schema) Layout {
	return Layout{Names: q.Names(s), Labels: s.Labels, Posteriors: q.Posteriors, Errors: q.Errors,
		Label: statisticNames(q.Label), Samples: q.Samples,
		Sets: s.Labels != nil && q.Predictive == ConformalInterval}
}

// ColumnError reports a column name that would come twice.
type ColumnError struct{ Name string }

// Error names the column and the remedy.
func (e *ColumnError) Error() string {
	return fmt.Sprintf("output column %q exists twice: choose a prefix, or drop one", e.Name)
}

// Columns lists the names in order. The error is a *ColumnError.
func (l Layout) Columns() ([]string, error) {
	var names []string
	if l.Labels != nil {
		names = append(names, l.Prefix+classColumn)
	}
	for _, name := range l.Names {
		name = l.Prefix + name
		names = append(names, name, name+"_lo", name+"_hi")
		if l.Errors {
			names = append(names, name+"_lo_se", name+"_hi_se")
		}
		if l.Bands {
			names = append(names, name+"_band_lo", name+"_band_hi")
		}
		for _, other := range l.Posteriors[1:] {
			names = append(names, name+"_"+string(other)+"_lo", name+"_"+string(other)+"_hi")
		}
	}
	if l.Labels == nil {
		names = append(names, l.Prefix+"pi_lo", l.Prefix+"pi_hi")
	}
	names = append(names, l.labelColumns()...)
	if l.Sets {
		names = append(names, l.Prefix+"set", l.Prefix+"set_size")
	}
	return names, CheckColumns(names)
}

// CheckColumns fails with a *ColumnError on a name that comes twice.
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

// Fields lists the columns with their types: float64, that of the labels for classes, text for sets,
// and int64 for their sizes. The error is a *ColumnError.
func (l Layout) Fields() ([]arrow.Field, error) {
	names, err := l.Columns()
	fields := make([]arrow.Field, len(names))
	for i, name := range names {
		fields[i] = arrow.Field{Name: name, Type: arrow.PrimitiveTypes.Float64, Nullable: true}
	}
	if l.Labels != nil {
		fields[0].Type = labelType(l.Labels)
	}
	for s := range l.Samples {
		fields[len(fields)-l.Samples+s].Type = l.SampleType()
	}
	if n := len(fields); l.Sets {
		fields[n-2].Type, fields[n-1].Type = arrow.BinaryTypes.String, arrow.PrimitiveTypes.Int64
	}
	return fields, err
}

// Arrays are the columns of an answer, in the order of Fields.
func (l Layout) Arrays(a *Answer) ([]arrow.Array, error) {
	var columns []arrow.Array
	if l.Labels != nil {
		column, err := labelArray(l.Labels, a.Best)
		if err != nil {
			return nil, err
		}
		columns = append(columns, column)
	}
	add := func(rows int, value func(row int) float64) {
		columns = append(columns, floatArray(rows, value))
	}
	for f, estimates := range a.Posteriors[0].Estimates {
		n := len(estimates)
		add(n, func(i int) float64 { return estimates[i].Point })
		add(n, func(i int) float64 { return estimates[i].Lo })
		add(n, func(i int) float64 { return estimates[i].Hi })
		if l.Errors {
			add(n, func(i int) float64 { return estimates[i].LoSE })
			add(n, func(i int) float64 { return estimates[i].HiSE })
		}
		if l.Bands {
			add(n, func(i int) float64 { return a.Bands[f][i].Lo })
			add(n, func(i int) float64 { return a.Bands[f][i].Hi })
		}
		for _, other := range a.Posteriors[1:] {
			add(n, func(i int) float64 { return other.Estimates[f][i].Lo })
			add(n, func(i int) float64 { return other.Estimates[f][i].Hi })
		}
	}
	if l.Labels == nil {
		add(a.Rows(), func(i int) float64 { return a.Predictive[i].Lo })
		add(a.Rows(), func(i int) float64 { return a.Predictive[i].Hi })
	}
	labels, err := l.labelArrays(a)
	if err != nil {
		return nil, err
	}
	columns = append(columns, labels...)
	if l.Sets {
		columns = append(columns, setArrays(l.Labels, a.Sets)...)
	}
	return columns, nil
}

// Record is an answer as an Arrow record batch with the columns of a layout, in its order. The
// caller releases it.
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

// labelType is the type of the column of classes: that of the labels.
func labelType(labels *tabular.Labels) arrow.DataType {
	switch labels.Kind {
	case tabular.Numeric:
		return arrow.PrimitiveTypes.Int64
	case tabular.Boolean:
		return arrow.FixedWidthTypes.Boolean
	}
	return arrow.BinaryTypes.String
}

// labelArray is a column of classes.
func labelArray(labels *tabular.Labels, classes []int) (arrow.Array, error) {
	builder := array.NewBuilder(memory.DefaultAllocator, labelType(labels))
	defer builder.Release()
	for _, k := range classes {
		switch b := builder.(type) {
		case *array.Int64Builder:
			v, err := strconv.ParseInt(labels.Texts[k], 10, 64)
			if err != nil {
				return nil, err
			}
			b.Append(v)
		case *array.BooleanBuilder:
			b.Append(labels.Texts[k] == "true")
		case *array.StringBuilder:
			b.Append(labels.Texts[k])
		}
	}
	return builder.NewArray(), nil
}
