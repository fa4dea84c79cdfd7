package joint

import (
	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/memory"

	"github.com/pfnamp/pfnamp"
	"github.com/pfnamp/pfnamp/amp"
)

// DrawsSchema is the schema of a table of joint draws: row and draw, both from 1, the group of the
// row if rows are grouped, and a column for every functional.
func DrawsSchema(l pfnamp.Layout, grouped bool) *arrow.Schema {
	fields := []arrow.Field{
		{Name: "row", Type: arrow.PrimitiveTypes.Int64},
		{Name: "draw", Type: arrow.PrimitiveTypes.Int64},
	}
	if grouped {
		fields = append(fields,
			arrow.Field{Name: "group", Type: arrow.BinaryTypes.String, Nullable: true})
	}
	for _, name := range l.Names {
		fields = append(fields, arrow.Field{Name: l.Prefix + name, Type: arrow.PrimitiveTypes.Float64})
	}
	return arrow.NewSchema(fields, nil)
}

// DrawsRecord lists the first n draws of some rows, one draw a line, under the schema of
// [DrawsSchema]. first is the number of the first row, from 1. groups has the group of every row,
// "" for a row without one; it is nil without groups. The caller releases the record.
func DrawsRecord(
	schema *arrow.Schema, first int64, rows []Row, groups []string, n int,
) arrow.RecordBatch {
	builder := array.NewRecordBuilder(memory.DefaultAllocator, schema)
	defer builder.Release()
	builder.Reserve(n * len(rows))
	row, draw := builder.Field(0).(*array.Int64Builder), builder.Field(1).(*array.Int64Builder)
	at := 2
	if groups != nil {
		at = 3
		for i := range rows {
			appendTexts(builder.Field(2).(*array.StringBuilder), groups[i], n)
		}
	}
	for i, r := range rows {
		for b := range n {
			row.Append(first + int64(i))
			draw.Append(int64(b + 1))
		}
		for f, draws := range r.Draws {
			builder.Field(at+f).(*array.Float64Builder).AppendValues(draws[:n], nil)
		}
	}
	return builder.NewRecordBatch()
}

// appendTexts appends a text n times, null for none.
func appendTexts(builder *array.StringBuilder, text string, n int) {
	for range n {
		if text == "" {
			builder.AppendNull()
		} else {
			builder.Append(text)
		}
	}
}

// EffectsSchema is the schema of a table of averages and contrasts. The columns are of and rows,
// and for every functional NAME, NAME_lo, NAME_hi and NAME_above0. NAME_above0 is the posterior
// probability that a difference is above 0 ([Effect.Above]).
func EffectsSchema(l pfnamp.Layout) *arrow.Schema {
	fields := []arrow.Field{
		{Name: "of", Type: arrow.BinaryTypes.String},
		{Name: "rows", Type: arrow.PrimitiveTypes.Int64, Nullable: true},
	}
	for _, column := range effects(l) {
		fields = append(fields,
			arrow.Field{Name: column, Type: arrow.PrimitiveTypes.Float64, Nullable: true})
	}
	return arrow.NewSchema(fields, nil)
}

// CheckEffects fails with a *pfnamp.ColumnError if a name of EffectsSchema comes twice.
func CheckEffects(l pfnamp.Layout) error {
	return pfnamp.CheckColumns(append(effects(l), "of", "rows"))
}

// effects are the columns of averages and contrasts after the first two.
func effects(l pfnamp.Layout) (names []string) {
	for _, name := range l.Names {
		name = l.Prefix + name
		names = append(names, name, name+"_lo", name+"_hi", name+"_above0")
	}
	return names
}

// EffectsRecord lists averages and contrasts under the schema of EffectsSchema. The caller releases
// the record.
func EffectsRecord(
	schema *arrow.Schema, list []Effect, level float64, kind amp.IntervalKind,
) arrow.RecordBatch {
	builder := array.NewRecordBuilder(memory.DefaultAllocator, schema)
	defer builder.Release()
	number := func(i int) *array.Float64Builder { return builder.Field(i).(*array.Float64Builder) }
	for _, e := range list {
		builder.Field(0).(*array.StringBuilder).Append(e.Name)
		rows := builder.Field(1).(*array.Int64Builder)
		if e.Contrast {
			rows.AppendNull()
		} else {
			rows.Append(int64(e.Rows))
		}
		for f := range e.Points {
			at, estimate := 2+4*f, e.Estimate(f, level, kind)
			for i, v := range []float64{estimate.Point, estimate.Lo, estimate.Hi} {
				appendNumber(number(at+i), v)
			}
			if e.Contrast {
				appendNumber(number(at+3), e.Above(f))
			} else {
				number(at + 3).AppendNull()
			}
		}
	}
	return builder.NewRecordBatch()
}

func appendNumber(builder *array.Float64Builder, v float64) {
	if v != v {
		builder.AppendNull()
	} else {
		builder.Append(v)
	}
}
