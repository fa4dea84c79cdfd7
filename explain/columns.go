package explain

import (
	"math"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/memory"

	"github.com/pfnamp/pfnamp"
)

// EffectSchema returns the schema of a table of effects. Its columns are column and value, with
// pairs also column2 and value2, then rows, support and averaged. Every functional adds NAME,
// NAME_lo, NAME_hi, NAME_band_lo, NAME_band_hi and NAME_error. [Point] and [Effect] explain them.
func EffectSchema(l pfnamp.Layout, pairs bool) *arrow.Schema {
	text, number := arrow.BinaryTypes.String, arrow.PrimitiveTypes.Float64
	fields := []arrow.Field{{Name: "column", Type: text}, {Name: "value", Type: text}}
	if pairs {
		fields = append(fields, arrow.Field{Name: "column2", Type: text, Nullable: true},
			arrow.Field{Name: "value2", Type: text, Nullable: true})
	}
	fields = append(fields, arrow.Field{Name: "rows", Type: arrow.PrimitiveTypes.Int64},
		arrow.Field{Name: "support", Type: number},
		arrow.Field{Name: "averaged", Type: arrow.PrimitiveTypes.Int64})
	for _, name := range l.Names {
		for _, end := range []string{"", "_lo", "_hi", "_band_lo", "_band_hi", "_error"} {
			fields = append(fields, arrow.Field{Name: l.Prefix + name + end, Type: number, Nullable: true})
		}
	}
	return arrow.NewSchema(fields, nil)
}

// EffectRecord lists the points of effects under the schema of EffectSchema. The caller releases
// the record.
func EffectRecord(schema *arrow.Schema, effects []*Effect) arrow.RecordBatch {
	builder := array.NewRecordBuilder(memory.DefaultAllocator, schema)
	defer builder.Release()
	pairs := schema.HasField("column2")
	for _, e := range effects {
		for _, point := range e.Points {
			at := 0
			text := func(v string) {
				builder.Field(at).(*array.StringBuilder).Append(v)
				at++
			}
			text(e.Columns[0])
			text(point.Values[0].Text)
			switch {
			case pairs && len(e.Columns) > 1:
				text(e.Columns[1])
				text(point.Values[1].Text)
			case pairs:
				builder.Field(at).AppendNull()
				builder.Field(at + 1).AppendNull()
				at += 2
			}
			builder.Field(at).(*array.Int64Builder).Append(int64(point.Rows))
			appendNumber(builder.Field(at+1), point.Support)
			builder.Field(at + 2).(*array.Int64Builder).Append(int64(e.Rows))
			at += 3
			for _, v := range point.Estimates {
				for k, x := range []float64{v.Point, v.Lo, v.Hi, v.BandLo, v.BandHi, v.Error} {
					appendNumber(builder.Field(at+k), x)
				}
				at += 6
			}
		}
	}
	return builder.NewRecordBatch()
}

// appendNumber appends a number, NaN as null.
func appendNumber(to array.Builder, v float64) {
	if math.IsNaN(v) {
		to.AppendNull()
	} else {
		to.(*array.Float64Builder).Append(v)
	}
}
