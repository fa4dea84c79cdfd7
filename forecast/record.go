package forecast

import (
	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/memory"
)

// Computed are the names of the columns after those of the table: of whole numbers, then numbers.
var Computed = []string{"horizon", "forecast", "pi_lo", "pi_hi"}

// Schema names the columns of forecasts: the column of series if there is one, the time, the
// horizon in steps, the forecast and its predictive interval.
func (t *Table) Schema() *arrow.Schema {
	var fields []arrow.Field
	if t.Columns.Series != "" {
		fields = append(fields, arrow.Field{Name: t.Columns.Series, Type: arrow.BinaryTypes.String})
	}
	fields = append(fields, arrow.Field{Name: t.Columns.Time, Type: t.Clock.Type()},
		arrow.Field{Name: Computed[0], Type: arrow.PrimitiveTypes.Int64})
	for _, name := range Computed[1:] {
		fields = append(fields, arrow.Field{Name: name, Type: arrow.PrimitiveTypes.Float64})
	}
	return arrow.NewSchema(fields, nil)
}

// Record makes one row for every horizon of every series, in their order. The caller releases the
// record.
func (t *Table) Record(all []*Forecast) arrow.RecordBatch {
	b := array.NewRecordBuilder(memory.DefaultAllocator, t.Schema())
	defer b.Release()
	first := 0
	if t.Columns.Series != "" {
		first = 1
	}
	for i, f := range all {
		for _, p := range f.Points {
			if first == 1 {
				b.Field(0).(*array.StringBuilder).Append(t.Names[i])
			}
			t.Clock.add(b.Field(first), p.Time)
			b.Field(first + 1).(*array.Int64Builder).Append(int64(p.Horizon))
			for k, v := range []float64{p.Value, p.Lo, p.Hi} {
				b.Field(first + 2 + k).(*array.Float64Builder).Append(v)
			}
		}
	}
	return b.NewRecordBatch()
}
