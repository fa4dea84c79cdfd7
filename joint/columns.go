package joint

import (
	"math"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/memory"

	"github.com/pfnamp/pfnamp"
	"github.com/pfnamp/pfnamp/amp"
)

// DrawsSchema is the schema of a table of joint draws: row and draw, both from 1, the group of the
// row if rows are grouped, and a column for every functional.
func DrawsSchema(l pfnamp.Layout, grouped bool) *arrow.Schema {
	fields := []arrow.Field{{Name: "row", Type: arrow.PrimitiveTypes.Int64},
		{Name: "draw", Type: arrow.PrimitiveTypes.Int64}}
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
// [DrawsSchema]. groups has the group of every row, "" for a row without one; the schema tells
// whether it is a column. The caller releases the record.
func DrawsRecord(schema *arrow.Schema, rows []Row, groups []string, n int) arrow.RecordBatch {
	builder := array.NewRecordBuilder(memory.DefaultAllocator, schema)
	defer builder.Release()
	builder.Reserve(n * len(rows))
	row, draw := builder.Field(0).(*array.Int64Builder), builder.Field(1).(*array.Int64Builder)
	at := 2
	if group, ok := builder.Field(2).(*array.StringBuilder); ok {
		at = 3
		for i := range rows {
			for range n {
				if groups[i] == "" {
					group.AppendNull()
				} else {
					group.Append(groups[i])
				}
			}
		}
	}
	for _, r := range rows {
		for b := range n {
			row.Append(r.Number)
			draw.Append(int64(b + 1))
		}
		for f, draws := range r.Draws {
			builder.Field(at+f).(*array.Float64Builder).AppendValues(draws[:n], nil)
		}
	}
	return builder.NewRecordBatch()
}

// EffectsSchema is the schema of a table of averages and contrasts. The columns are of and rows,
// and for every functional NAME, NAME_lo, NAME_hi and NAME_above0. NAME_above0 is the posterior
// probability that a difference is above 0 ([Effect.Above]).
func EffectsSchema(l pfnamp.Layout) *arrow.Schema {
	fields := []arrow.Field{{Name: "of", Type: arrow.BinaryTypes.String},
		{Name: "rows", Type: arrow.PrimitiveTypes.Int64, Nullable: true}}
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
	lines := NewLines(schema)
	for _, e := range list {
		cells := []any{e.Name, int64(e.Rows)}
		if e.Contrast {
			cells[1] = nil
		}
		for f := range e.Points {
			estimate, above := e.Estimate(f, level, kind), math.NaN()
			if e.Contrast {
				above = e.Above(f)
			}
			cells = append(cells, estimate.Point, estimate.Lo, estimate.Hi, above)
		}
		lines.Add(cells...)
	}
	return lines.Record()
}

// Lines makes a table line by line.
type Lines struct{ builder *array.RecordBuilder }

// NewLines starts a table of a schema with texts, whole numbers and numbers.
func NewLines(schema *arrow.Schema) Lines {
	return Lines{array.NewRecordBuilder(memory.DefaultAllocator, schema)}
}

// Add adds a line: for every column a string, int64 or float64, in the column's type. nil and NaN
// are missing cells.
func (l Lines) Add(cells ...any) {
	for j, cell := range cells {
		switch v := cell.(type) {
		case string:
			l.builder.Field(j).(*array.StringBuilder).Append(v)
		case int64:
			l.builder.Field(j).(*array.Int64Builder).Append(v)
		case float64:
			if to := l.builder.Field(j).(*array.Float64Builder); math.IsNaN(v) {
				to.AppendNull()
			} else {
				to.Append(v)
			}
		default:
			l.builder.Field(j).AppendNull()
		}
	}
}

// Record returns the table. The caller releases it.
func (l Lines) Record() arrow.RecordBatch {
	defer l.builder.Release()
	return l.builder.NewRecordBatch()
}
