package explain

import (
	"slices"

	"github.com/apache/arrow-go/v18/arrow"

	"github.com/pfnamp/pfnamp"
	"github.com/pfnamp/pfnamp/joint"
)

// EffectRecord lists the points of effects. The columns are column and value, with pairs also
// column2 and value2, then rows, support and averaged. Every functional adds NAME, NAME_lo,
// NAME_hi, NAME_band_lo, NAME_band_hi and NAME_error. [Point] and [Effect] explain them. The caller
// releases the record.
func EffectRecord(l pfnamp.Layout, effects []*Effect) arrow.RecordBatch {
	pairs := slices.ContainsFunc(effects, (*Effect).Pair)
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
	lines := joint.NewLines(arrow.NewSchema(fields, nil))
	for _, e := range effects {
		for _, point := range e.Points {
			cells := []any{e.Columns[0], point.Values[0].Text}
			switch {
			case pairs && len(e.Columns) > 1:
				cells = append(cells, e.Columns[1], point.Values[1].Text)
			case pairs:
				cells = append(cells, nil, nil)
			}
			cells = append(cells, int64(point.Rows), point.Support, int64(e.Rows))
			for _, v := range point.Estimates {
				cells = append(cells, v.Point, v.Lo, v.Hi, v.BandLo, v.BandHi, v.Error)
			}
			lines.Add(cells...)
		}
	}
	return lines.Record()
}
