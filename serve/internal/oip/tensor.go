package oip

import (
	"slices"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/memory"
)

// Tensor is a named array of elements, row by row.
type Tensor struct {
	Name     string
	Datatype Datatype
	Shape    []int64
	Elements arrow.Array
}

// Record makes a table of tensors: one column of each whose shape is [n] or [n,1]; or, where the
// only tensor has none of the named columns, is of numbers and has the shape [n,d], all d columns
// in their order. Errors are an *Error.
func Record(tensors []Tensor, columns []string) (arrow.RecordBatch, error) {
	if len(tensors) == 0 {
		return nil, faultf("the request has no inputs: send one tensor for every column, or one tensor " +
			"of shape [n,d] with all columns")
	}
	if len(tensors) == 1 && !slices.Contains(columns, tensors[0].Name) {
		return matrix(tensors[0], columns)
	}
	fields, arrays := make([]arrow.Field, len(tensors)), make([]arrow.Array, len(tensors))
	seen := map[string]bool{}
	for i, t := range tensors {
		if len(t.Shape) != 1 && (len(t.Shape) != 2 || t.Shape[1] != 1) {
			return nil, faultf("input %q has shape %v: a column needs the shape [n] or [n,1]", t.Name,
				t.Shape)
		}
		if first := tensors[0]; t.Shape[0] != first.Shape[0] {
			return nil, faultf("input %q has %d rows and input %q has %d: send the same number of rows "+
				"for every column", t.Name, t.Shape[0], first.Name, first.Shape[0])
		}
		if seen[t.Name] {
			return nil, faultf("the request has the input %q twice", t.Name)
		}
		seen[t.Name] = true
		fields[i] = arrow.Field{Name: t.Name, Type: t.Elements.DataType(), Nullable: true}
		arrays[i] = t.Elements
	}
	return array.NewRecordBatch(arrow.NewSchema(fields, nil), arrays, tensors[0].Shape[0]), nil
}

// matrix makes a table of one tensor that has all columns.
func matrix(t Tensor, columns []string) (arrow.RecordBatch, error) {
	switch {
	case len(t.Shape) != 2 || t.Shape[1] != int64(len(columns)):
		return nil, faultf("input %q is not a column of the model, and its shape %v is not [n,%d]: send "+
			"one tensor for every column, or one with all %[3]d columns", t.Name, t.Shape, len(columns))
	case t.Datatype == Bytes || t.Datatype == Bool:
		return nil, faultf("input %q has all columns but datatype %s instead of numbers: send one "+
			"tensor for every column", t.Name, t.Datatype)
	}
	rows, cols := int(t.Shape[0]), len(columns)
	fields, arrays := make([]arrow.Field, cols), make([]arrow.Array, cols)
	value := numbers(t.Elements)
	for j, name := range columns {
		builder := array.NewFloat64Builder(memory.DefaultAllocator)
		builder.Reserve(rows)
		for i := range rows {
			if at := i*cols + j; t.Elements.IsNull(at) {
				builder.AppendNull()
			} else {
				builder.Append(value(at))
			}
		}
		fields[j] = arrow.Field{Name: name, Type: arrow.PrimitiveTypes.Float64, Nullable: true}
		arrays[j] = builder.NewArray()
	}
	return array.NewRecordBatch(arrow.NewSchema(fields, nil), arrays, t.Shape[0]), nil
}

// numbers returns how elements are read as numbers.
func numbers(elements arrow.Array) func(i int) float64 {
	switch a := elements.(type) {
	case *array.Uint64:
		return func(i int) float64 { return float64(a.Value(i)) }
	case *array.Int64:
		return func(i int) float64 { return float64(a.Value(i)) }
	case *array.Float32:
		return func(i int) float64 { return float64(a.Value(i)) }
	}
	return elements.(*array.Float64).Value
}

// count is the number of elements of a shape. Every dimension is at least 0, and their product is
// at most a number of elements that a request can hold.
func count(name string, shape []int64) (int, error) {
	const most = 1 << 31
	if len(shape) == 0 {
		return 0, faultf("input %q has no shape", name)
	}
	n := int64(1)
	for _, d := range shape {
		if d < 0 || d > most || n*d > most { // each factor is at most most, so n*d does not overflow
			return 0, faultf("input %q has the impossible shape %v: a dimension is negative or too large",
				name, shape)
		}
		n *= d
	}
	return int(n), nil
}
