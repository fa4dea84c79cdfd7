package explain

import (
	"strings"

	"github.com/apache/arrow-go/v18/arrow"

	"github.com/pfnamp/pfnamp/joint"
)

// Record lists the groups. Its columns are column (the names of a group joined by " + "), share,
// share_lo, share_hi, above_noise, gain, gain_lo, gain_hi, gain_noise and told. [GroupImportance]
// explains them. The caller releases the record.
func (i *Importance) Record() arrow.RecordBatch {
	fields := []arrow.Field{{Name: "column", Type: arrow.BinaryTypes.String}}
	for _, name := range []string{"share", "share_lo", "share_hi", "above_noise", "gain", "gain_lo",
		"gain_hi", "gain_noise", "told"} {
		fields = append(fields,
			arrow.Field{Name: name, Type: arrow.PrimitiveTypes.Float64, Nullable: true})
	}
	lines := joint.NewLines(arrow.NewSchema(fields, nil))
	for _, g := range i.Groups {
		lines.Add(g.Name(), g.Share.Point, g.Share.Lo, g.Share.Hi, g.Above, g.Gain.Point, g.Gain.Lo,
			g.Gain.Hi, g.Noise, g.Told)
	}
	return lines.Record()
}

// Name joins the columns of a group.
func (g GroupImportance) Name() string { return strings.Join(g.Columns, " + ") }

// Surely reports whether the columns are above noise with a probability of 0.95 or more. At most
// one in twenty columns of noise reaches that.
func (g GroupImportance) Surely() bool { return g.Above >= 0.95 }
