package tabular

import (
	"bytes"
	"errors"
	"testing"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
)

// TestEscapeFormulas writes texts that spreadsheets take for formulas beside numbers, as they are
// and escaped.
func TestEscapeFormulas(t *testing.T) {
	text := arrayOf(t, arrow.BinaryTypes.String,
		`["=1+1", "+x", "-5", "-5e3", "-x", "@a", "\tx", "\r", "＝1", "a=b", "", null, "+.5", "'=1"]`)
	number := arrayOf(t, arrow.PrimitiveTypes.Float64,
		`[-1,-2,-3,-4,-5,-6,-7,-8,-9,-10,-11,-12,-13,-14]`)
	schema := arrow.NewSchema([]arrow.Field{{Name: "=name", Type: text.DataType(), Nullable: true},
		{Name: "n", Type: number.DataType()}}, nil)
	rec := array.NewRecordBatch(schema, []arrow.Array{text, number}, int64(text.Len()))
	for escape, want := range map[bool]string{
		false: "=name,n\n=1+1,-1\n+x,-2\n-5,-3\n-5e3,-4\n-x,-5\n@a,-6\n\"\tx\",-7\n\"\r\",-8\n＝1,-9\n" +
			"a=b,-10\n\"\",-11\n,-12\n+.5,-13\n'=1,-14\n",
		true: "'=name,n\n'=1+1,-1\n'+x,-2\n-5,-3\n-5e3,-4\n'-x,-5\n'@a,-6\n" +
			"'\tx,-7\n\"'\r\",-8\n'＝1,-9\n" +
			"a=b,-10\n\"\",-11\n,-12\n+.5,-13\n'=1,-14\n",
	} {
		var b bytes.Buffer
		w, err := Create("-", schema, WriteOptions{Format: CSV, Stdout: &b, EscapeFormulas: escape})
		if err == nil {
			err = errors.Join(w.Write(rec), w.Commit())
		}
		if err != nil || b.String() != want {
			t.Errorf("escaped %t: %v\n%q, want\n%q", escape, err, b.String(), want)
		}
	}
}
