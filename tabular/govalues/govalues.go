// Package govalues makes a table from Go values, so that rows need no file.
//
//	table, err := govalues.Table("flats", []Flat{{Area: 40}, {Area: 60}})
//
// [Table] takes a slice of structs, of pointers to structs, or of map[string]any. Columns are the
// exported fields or the keys. The tag pfnamp:"name" renames a field, and pfnamp:"-" leaves it out;
// without it the tag json does the same.
// Cells are numbers, strings, booleans and time.Time. A nil cell is missing.
package govalues

import (
	"cmp"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/memory"

	"github.com/pfnamp/pfnamp/tabular"
)

// Table makes a table from a []map[string]any, or from a slice of structs or of pointers to
// structs, by the rules of pfnamp.Table. It fails with a *tabular.Error that has the row and the
// column.
func Table(name string, rows any) (*tabular.Table, error) {
	var columns []goColumn
	value := reflect.ValueOf(rows)
	switch {
	case value.Kind() == reflect.Slice && value.Type().Elem() == reflect.TypeFor[map[string]any]():
		if value.Len() == 0 {
			return nil, &tabular.Error{File: name, Msg: "there are no rows, so there are no columns"}
		}
		columns = mapColumns(value.Interface().([]map[string]any))
	case value.Kind() == reflect.Slice && structOf(value.Type().Elem()) != nil:
		for i := range value.Len() {
			if row := value.Index(i); row.Kind() == reflect.Pointer && row.IsNil() {
				return nil, &tabular.Error{File: name, Row: int64(i + 1),
					Msg: "the row is a nil pointer: leave it out"}
			}
		}
		columns = structColumns(value)
	default:
		return nil, &tabular.Error{File: name, Msg: fmt.Sprintf("rows are a %T: pass a "+
			"[]map[string]any, or a slice of structs or of pointers to them", rows)}
	}
	fields, arrays := make([]arrow.Field, len(columns)), make([]arrow.Array, len(columns))
	for i, c := range columns {
		var err error
		if arrays[i], err = c.array(name, value.Len()); err != nil {
			return nil, err
		}
		fields[i] = arrow.Field{Name: c.name, Type: arrays[i].DataType(), Nullable: true}
	}
	schema := arrow.NewSchema(fields, nil)
	record := array.NewRecordBatch(schema, arrays, int64(value.Len()))
	return &tabular.Table{File: name, Schema: schema, Rows: int64(value.Len()),
		Batches: []*tabular.Batch{{File: name, Record: record}}}, nil
}

// structOf returns the struct type that a row type is or points to, nil for other types.
func structOf(row reflect.Type) reflect.Type {
	if row.Kind() == reflect.Pointer {
		row = row.Elem()
	}
	if row.Kind() != reflect.Struct {
		return nil
	}
	return row
}

type goColumn struct {
	name string
	cell func(row int) any
}

// mapColumns lists the keys of maps.
func mapColumns(rows []map[string]any) []goColumn {
	seen := map[string]bool{}
	for _, row := range rows {
		for name := range row {
			seen[name] = true
		}
	}
	var columns []goColumn
	for _, name := range slices.Sorted(maps.Keys(seen)) {
		columns = append(columns, goColumn{name, func(i int) any { return rows[i][name] }})
	}
	return columns
}

// structColumns lists the exported fields of structs.
func structColumns(rows reflect.Value) []goColumn {
	var columns []goColumn
	for _, field := range reflect.VisibleFields(structOf(rows.Type().Elem())) {
		inJSON, _, _ := strings.Cut(field.Tag.Get("json"), ",")
		name := cmp.Or(inJSON, field.Name)
		if tag, ok := field.Tag.Lookup("pfnamp"); ok {
			name = tag
		}
		if !field.IsExported() || field.Anonymous || name == "-" {
			continue
		}
		columns = append(columns, goColumn{name, func(i int) any {
			cell, err := reflect.Indirect(rows.Index(i)).FieldByIndexErr(field.Index)
			if err != nil {
				return nil // the pointer of an embedded struct is nil
			}
			return cell.Interface()
		}})
	}
	return columns
}

// array makes an Arrow array from the cells of n rows. A column without values holds numbers.
func (c goColumn) array(file string, n int) (arrow.Array, error) {
	cells := make([]any, n)
	var typ arrow.DataType = arrow.PrimitiveTypes.Float64
	first := -1
	for i := range cells {
		value, ok := plainValue(c.cell(i))
		at, timed := value.(time.Time)
		fault := func(format string, args ...any) error {
			return &tabular.Error{File: file, Row: int64(i + 1), Column: c.name,
				Msg: fmt.Sprintf(format, args...)}
		}
		switch {
		case !ok:
			return nil, fault("a cell cannot be a %T: use a number, string, bool, time.Time or nil, or "+
				"leave the column out (a field by the tag pfnamp:\"-\")", c.cell(i))
		case value == nil:
			continue
		case timed && (at.Year() < 1678 || at.Year() > 2261): // nanoseconds since 1970 in 64 bits
			return nil, fault("the time %v is not between the years 1678 and 2261: use nil where there "+
				"is none", value)
		case first >= 0 && arrowType(value) != typ:
			return nil, fault("the column mixes %T and %T: use one type", value, cells[first])
		case first < 0:
			typ, first = arrowType(value), i
		}
		cells[i] = value
	}
	builder := array.NewBuilder(memory.DefaultAllocator, typ)
	defer builder.Release()
	for _, cell := range cells {
		appendCell(builder, cell)
	}
	return builder.NewArray(), nil
}

// plainValue turns a cell into a float64, string, bool, time.Time or nil.
func plainValue(cell any) (value any, ok bool) {
	v := reflect.ValueOf(cell)
	for v.Kind() == reflect.Pointer {
		if v.IsNil() {
			return nil, true
		}
		v = v.Elem()
	}
	switch {
	case !v.IsValid():
		return nil, true
	case v.CanInt():
		return float64(v.Int()), true
	case v.CanUint():
		return float64(v.Uint()), true
	case v.CanFloat():
		return v.Float(), true
	case v.Kind() == reflect.String:
		return v.String(), true
	case v.Kind() == reflect.Bool:
		return v.Bool(), true
	case v.Type() == reflect.TypeFor[time.Time]():
		return v.Interface(), true
	}
	return nil, false
}

// instant is the type of times.
var instant arrow.DataType = &arrow.TimestampType{Unit: arrow.Nanosecond, TimeZone: "UTC"}

func arrowType(value any) arrow.DataType {
	switch value.(type) {
	case string:
		return arrow.BinaryTypes.String
	case bool:
		return arrow.FixedWidthTypes.Boolean
	case time.Time:
		return instant
	}
	return arrow.PrimitiveTypes.Float64
}

// appendCell appends a value of the builder's type, or nil.
func appendCell(builder array.Builder, cell any) {
	switch v := cell.(type) {
	case float64:
		builder.(*array.Float64Builder).Append(v)
	case string:
		builder.(*array.StringBuilder).Append(v)
	case bool:
		builder.(*array.BooleanBuilder).Append(v)
	case time.Time:
		builder.(*array.TimestampBuilder).AppendTime(v.UTC())
	default:
		builder.AppendNull()
	}
}
