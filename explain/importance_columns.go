package explain

import (
	"strings"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/memory"
)

// importanceColumns are the numbers of a group, in the order of the table of importances.
var importanceColumns = []struct {
	name string
	of   func(g GroupImportance) float64
}{
	{"share", func(g GroupImportance) float64 { return g.Share.Point }},
	{"share_lo", func(g GroupImportance) float64 { return g.Share.Lo }},
	{"share_hi", func(g GroupImportance) float64 { return g.Share.Hi }},
	{"above_noise", func(g GroupImportance) float64 { return g.Above }},
	{"gain", func(g GroupImportance) float64 { return g.Gain.Point }},
	{"gain_lo", func(g GroupImportance) float64 { return g.Gain.Lo }},
	{"gain_hi", func(g GroupImportance) float64 { return g.Gain.Hi }},
	{"gain_noise", func(g GroupImportance) float64 { return g.Noise }},
	{"told", func(g GroupImportance) float64 { return g.Told }},
}

// ImportanceSchema returns the schema of a table of importance. Its columns are column (the names
// of a group joined by " + "), share, share_lo, share_hi, above_noise, gain, gain_lo, gain_hi,
// gain_noise and told. [GroupImportance] explains them.
func ImportanceSchema() *arrow.Schema {
	fields := []arrow.Field{{Name: "column", Type: arrow.BinaryTypes.String}}
	for _, c := range importanceColumns {
		number := arrow.Field{Name: c.name, Type: arrow.PrimitiveTypes.Float64, Nullable: true}
		fields = append(fields, number)
	}
	return arrow.NewSchema(fields, nil)
}

// Record lists the groups under the schema of ImportanceSchema. The caller releases the record.
func (i *Importance) Record() arrow.RecordBatch {
	builder := array.NewRecordBuilder(memory.DefaultAllocator, ImportanceSchema())
	defer builder.Release()
	for _, g := range i.Groups {
		builder.Field(0).(*array.StringBuilder).Append(g.Name())
		for k, c := range importanceColumns {
			appendNumber(builder.Field(k+1), c.of(g))
		}
	}
	return builder.NewRecordBatch()
}

// Name joins the columns of a group.
func (g GroupImportance) Name() string { return strings.Join(g.Columns, " + ") }

// Surely reports whether the columns are above noise with a probability of 0.95 or more. At most
// one in twenty columns of noise reaches that.
func (g GroupImportance) Surely() bool { return g.Above >= 0.95 }
