package tabular

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/memory"

	"github.com/pfnamp/pfnamp/tabular/internal/spelling"
)

// arrayOf returns an array of a type with the values of a JSON list.
func arrayOf(t testing.TB, typ arrow.DataType, values string) arrow.Array {
	t.Helper()
	a, _, err := array.FromJSON(memory.DefaultAllocator, typ, strings.NewReader(values))
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// typedTable returns a table of a column x and a column y that counts the rows.
func typedTable(t testing.TB, x arrow.Array) *Table {
	t.Helper()
	rec := record("x,y", x, numbers(x.Len()).Column(0))
	return &Table{File: "x.parquet", Schema: rec.Schema(), Rows: rec.NumRows(),
		Batches: []*Batch{{File: "x.parquet", Record: rec}}}
}

var second = &arrow.TimestampType{Unit: arrow.Second}

// TestTypes learns columns of every type and encodes them.
func TestTypes(t *testing.T) {
	nan := math.NaN()
	dictionary := &arrow.DictionaryType{
		IndexType: arrow.PrimitiveTypes.Int8, ValueType: arrow.BinaryTypes.String,
	}
	tests := []struct {
		typ        arrow.DataType
		values     string
		want       Kind
		x          []float64
		categories string
	}{
		{arrow.PrimitiveTypes.Int8, `[-1, null, 2]`, Numeric, []float64{-1, nan, 2}, ""},
		{arrow.PrimitiveTypes.Int64, `[9007199254740993]`, Numeric, []float64{1 << 53}, ""},
		{arrow.PrimitiveTypes.Uint64, `[18446744073709551615]`, Numeric, []float64{1 << 64}, ""},
		{arrow.FixedWidthTypes.Float16, `[0.5, null]`, Numeric, []float64{0.5, nan}, ""},
		{arrow.PrimitiveTypes.Float32, `[0.5, null]`, Numeric, []float64{0.5, nan}, ""},
		{arrow.PrimitiveTypes.Float64, `[1e300, null]`, Numeric, []float64{1e300, nan}, ""},
		{&arrow.Decimal128Type{Precision: 10, Scale: 2}, `["1.50", "-0.01"]`, Numeric,
			[]float64{1.5, -0.01}, ""},
		{&arrow.Decimal256Type{Precision: 40, Scale: 3}, `["2.5", null]`, Numeric,
			[]float64{2.5, nan}, ""},
		{arrow.FixedWidthTypes.Boolean, `[true, false, null]`, Boolean, []float64{1, 0, -1},
			"false|true"},
		{arrow.FixedWidthTypes.Date32, `["1970-01-03", null]`, Date, []float64{2, nan}, ""},
		{arrow.FixedWidthTypes.Date64, `["1969-12-31"]`, Date, []float64{-1}, ""},
		{second, `["1970-01-01 00:01:00"]`, Timestamp, []float64{60}, ""},
		{&arrow.TimestampType{Unit: arrow.Millisecond, TimeZone: "Europe/Berlin"},
			`["1970-01-01 00:00:00.500Z"]`, Timestamp, []float64{0.5}, ""},
		{arrow.FixedWidthTypes.Duration_ms, `[1500, null]`, Numeric, []float64{1.5, nan}, ""},
		{arrow.FixedWidthTypes.Time32s, `["00:01:01"]`, Numeric, []float64{61}, ""},
		{arrow.FixedWidthTypes.Time64us, `["00:00:00.5"]`, Numeric, []float64{0.5}, ""},
		{arrow.BinaryTypes.String, `["b", "a", null, "NA", ""]`, Categorical,
			[]float64{3, 2, -1, 1, 0}, "|NA|a|b"},
		{arrow.BinaryTypes.String, `["1", "2"]`, Categorical, []float64{0, 1}, "1|2"},
		{arrow.BinaryTypes.LargeString, `["b", "a"]`, Categorical, []float64{1, 0}, "a|b"},
		{arrow.BinaryTypes.StringView, `["b", "a"]`, Categorical, []float64{1, 0}, "a|b"},
		{dictionary, `["z", "a", null, "z"]`, Categorical, []float64{1, 0, -1, 1}, "a|z"},
		{arrow.Null, `[null, null]`, Empty, []float64{nan, nan}, ""},
		{arrow.PrimitiveTypes.Int32, `[null, null]`, Empty, []float64{nan, nan}, ""},
	}
	for _, test := range tests {
		t.Run(fmt.Sprint(test.typ), func(t *testing.T) {
			table := typedTable(t, arrayOf(t, test.typ, test.values))
			s, f, _ := trained(t, table, SchemaOptions{Target: "y"})
			c := s.Columns[0]
			if c.Kind != test.want || strings.Join(c.Categories, "|") != test.categories {
				t.Errorf("got %v of %q", c.Kind, c.Categories)
			}
			if !sameValues(f.Data, test.x) {
				t.Errorf("got %v, want %v", f.Data, test.x)
			}
		})
	}
}

func TestUnsupportedTypes(t *testing.T) {
	for typ, values := range map[arrow.DataType]string{
		arrow.ListOf(arrow.PrimitiveTypes.Int8):                         `[[1], [2]]`,
		arrow.StructOf(arrow.Field{Name: "a", Type: arrow.Null}):        `[{"a": null}]`,
		arrow.BinaryTypes.Binary:                                        `["YQ=="]`,
		arrow.MapOf(arrow.BinaryTypes.String, arrow.BinaryTypes.String): `[[]]`,
	} {
		table := typedTable(t, arrayOf(t, typ, values))
		_, err := Learn(table, SchemaOptions{Target: "y"})
		checkError(t, err, fmt.Sprintf(
			`x.parquet: column "x": columns of type %s are not supported`, typ))
		_, err = Learn(table, SchemaOptions{Target: "x"})
		checkError(t, err, fmt.Sprintf(
			`x.parquet: column "x": columns of type %s are not supported`, typ))
		opt := SchemaOptions{Ignore: []string{"x"}}
		if _, err := Learn(table, opt); err != nil {
			t.Errorf("%v, ignored: %v", typ, err)
		}
	}
}

// TestOtherTypes encodes query columns that are stored by another type than in training.
func TestOtherTypes(t *testing.T) {
	nan := math.NaN()
	str := arrow.BinaryTypes.String
	tests := []struct {
		name  string
		train string // text cells
		query arrow.Array
		want  []float64 // nil for an error
		err   string
	}{
		{"integers for text numbers", "1,2", arrayOf(t, arrow.PrimitiveTypes.Int64, `[3, null]`),
			[]float64{3, nan}, ""},
		{"text for numbers", "1,2", arrayOf(t, str, `["3", "NA", null]`),
			[]float64{3, nan, nan}, ""},
		{"booleans for numbers", "0,1", arrayOf(t, arrow.FixedWidthTypes.Boolean, `[true]`),
			[]float64{1}, ""},
		{"null for numbers", "0,1", arrayOf(t, arrow.Null, `[null]`), []float64{nan}, ""},
		{"dates for numbers", "0,1", arrayOf(t, arrow.FixedWidthTypes.Date32, `["1970-01-03"]`),
			nil, `q: column "x": the type is date (date32), but in stdin it is numeric`},
		{"numbers for dates", "2020-01-01", arrayOf(t, arrow.PrimitiveTypes.Int64, `[3]`),
			nil, `q: column "x": the type is number (int64), but in stdin it is date`},
		{"missing numbers for dates", "2020-01-01",
			arrayOf(t, arrow.PrimitiveTypes.Float64, `[null, null]`), []float64{nan, nan}, ""},
		{"missing times for numbers", "1,2", arrayOf(t, second, `[null]`), []float64{nan}, ""},
		{"no numbers for dates", "2020-01-01", arrayOf(t, arrow.PrimitiveTypes.Int64, `[]`),
			[]float64{}, ""},
		{"dates for text dates", "2020-01-01",
			arrayOf(t, arrow.FixedWidthTypes.Date32, `["1970-01-03"]`), []float64{2}, ""},
		{"times for dates", "2020-01-01", arrayOf(t, second, `["1970-01-02 12:00:00"]`),
			[]float64{1.5}, ""},
		{"dates for times", "2020-01-01T00:00",
			arrayOf(t, arrow.FixedWidthTypes.Date32, `["1970-01-03"]`), []float64{172800}, ""},
		{"numbers for categories", "3,b,a", arrayOf(t, arrow.PrimitiveTypes.Float64,
			`[3, 0.5, 7, null]`), []float64{0, nan, nan, -1}, ""},
		{"booleans for booleans", "true,false",
			arrayOf(t, arrow.FixedWidthTypes.Boolean, `[true, null]`), []float64{1, -1}, ""},
		{"numbers for booleans", "true,false", arrayOf(t, arrow.PrimitiveTypes.Int8, `[1]`),
			[]float64{1}, ""},
		{"infinite", "1,2", infinite(), nil, `q: row 2: column "x": "+Inf" is not a finite number`},
		{"lists", "1,2", arrayOf(t, arrow.ListOf(str), `[[]]`), nil,
			`q: column "x": columns of type list<item: utf8, nullable> are not supported`},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			s := learnText(t, column(strings.Split(test.train, ",")...), SchemaOptions{
				Ignore: []string{"n"},
			})
			b := typedTable(t, test.query).Batches[0]
			b.File = "q"
			f, err := s.Features(b)
			if test.want == nil {
				checkError(t, err, test.err)
				return
			}
			if err != nil || !sameValues(f.Data, test.want) {
				t.Errorf("got %v, %v", f.Data, err)
			}
		})
	}
}

func infinite() arrow.Array {
	b := array.NewFloat64Builder(memory.DefaultAllocator)
	b.AppendValues([]float64{1, math.Inf(1)}, nil)
	return b.NewArray()
}

func TestTypedTarget(t *testing.T) {
	for name, test := range map[string]struct {
		x    arrow.Array
		want string
	}{
		"infinite": {infinite(), `x.parquet: row 2: column "x": "+Inf" is not a finite number`},
		"null": {arrayOf(t, arrow.PrimitiveTypes.Int8, `[1, null]`),
			`x.parquet: column "x": the target is missing in 1 of 2 rows: row 2`},
		"boolean": {arrayOf(t, arrow.FixedWidthTypes.Boolean, `[true]`),
			`x.parquet: column "x": the target is a boolean, but it must be a number`},
		"date": {arrayOf(t, arrow.FixedWidthTypes.Date32, `["1970-01-03"]`),
			`x.parquet: column "x": the target is a date, but it must be a number`},
		"text": {arrayOf(t, arrow.BinaryTypes.String, `["low"]`),
			`x.parquet: row 1: column "x": "low" is not a number`},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := Learn(typedTable(t, test.x), SchemaOptions{Target: "x"})
			checkError(t, err, test.want)
		})
	}
	table := typedTable(t, infinite())
	_, err := Learn(table, SchemaOptions{Target: "y"})
	checkError(t, err, `x.parquet: row 2: column "x": "+Inf" is not a finite number`)
}

func TestParseTime(t *testing.T) {
	for text, want := range map[string]float64{
		"1970-01-02": 86400, "1970-01-01T00:01": 60, "1970-01-01 00:00:01": 1,
		"1970-01-01T00:00:00.25Z": 0.25, "1970-01-01T01:00+01:00": 0,
		"1970-01-01T00:00:00-0130": 5400,
		"1970-01-01 01:00 pm CET":  43200, "1970-01-01 00:00:00+01": -3600, "0001-01-01": -62135596800,
	} {
		if got, _, ok := spelling.ParseTime(text); !ok || got != want {
			t.Errorf("%s: got %v, %v", text, got, ok)
		}
	}
	for _, text := range []string{
		"", "1970", "1970-01", "1970-1-2", "01/02/1970", "1970-01-01T", "1970-01-01T24:00",
		"1970-13-01", "1970-02-29", "19700101", "1970-01-01x", "1970-01-01T00:00:00 XYZ",
		"1970-01-01,00:00",
	} {
		if _, _, ok := spelling.ParseTime(text); ok {
			t.Errorf("%q is a time", text)
		}
	}
}

// TestCanonicalText checks what a value of each type is as a category.
func TestCanonicalText(t *testing.T) {
	for _, test := range []struct {
		typ    arrow.DataType
		values string
		want   string
	}{
		{arrow.PrimitiveTypes.Int16, `[10, -9]`, "-9|10"},
		{arrow.PrimitiveTypes.Uint8, `[255]`, "255"},
		{arrow.PrimitiveTypes.Uint16, `[1]`, "1"},
		{arrow.PrimitiveTypes.Uint32, `[4294967295]`, "4294967295"},
		{arrow.PrimitiveTypes.Int64, `[9007199254740993]`, "9007199254740993"},
		{arrow.PrimitiveTypes.Float64, `[3.0, 0.25]`, "0.25|3"},
		{arrow.PrimitiveTypes.Float32, `[0.1]`, "0.1"},
		{&arrow.Decimal32Type{Precision: 5, Scale: 2}, `["1.50", "2.00"]`, "1.5|2"},
		{&arrow.Decimal64Type{Precision: 10, Scale: 0}, `["100"]`, "100"},
		{&arrow.Decimal128Type{Precision: 20, Scale: 1}, `["0.0", "10.0"]`, "0|10"},
		{&arrow.Decimal256Type{Precision: 40, Scale: 3}, `["-0.125"]`, "-0.125"},
		{arrow.FixedWidthTypes.Boolean, `[true]`, "true"},
		{arrow.FixedWidthTypes.Date32, `["2020-02-29"]`, "2020-02-29"},
		{arrow.FixedWidthTypes.Date64, `["1969-12-31"]`, "1969-12-31"},
		{second, `["2020-02-29 12:34:56"]`, "2020-02-29T12:34:56Z"},
		{&arrow.DictionaryType{
			IndexType: arrow.PrimitiveTypes.Int8, ValueType: arrow.PrimitiveTypes.Int32,
		}, `[7, null]`, "7"},
	} {
		table := typedTable(t, arrayOf(t, test.typ, test.values))
		s := learned(t, table, SchemaOptions{Categorical: []string{"x"}})
		if got := strings.Join(s.Columns[0].Categories, "|"); got != test.want {
			t.Errorf("%v: got %q, want %q", test.typ, got, test.want)
		}
	}
	numbers := &arrow.DictionaryType{
		IndexType: arrow.PrimitiveTypes.Int8, ValueType: arrow.PrimitiveTypes.Float64,
	}
	table := typedTable(t, arrayOf(t, numbers, `[2.5, null, 2.5]`))
	_, f, _ := trained(t, table, SchemaOptions{Target: "y"})
	if !sameValues(f.Data, []float64{2.5, math.NaN(), 2.5}) {
		t.Errorf("dictionary of numbers: %v", f.Data)
	}
}

func TestNA(t *testing.T) {
	na := newNA(nil)
	for _, text := range []string{"", "  ", "NA", " NA ", "N/A", "NaN", "nan", "null", "NULL",
		"None", `\N`} {
		if !na.has(text) {
			t.Errorf("%q is not missing", text)
		}
	}
	for _, text := range []string{"0", "na", "?", "-", "none", "Null", "missing"} {
		if na.has(text) {
			t.Errorf("%q is missing", text)
		}
	}
	if na := newNA([]string{"?"}); na.has("") || na.has("NA") || !na.has("?") {
		t.Error("the given texts do not replace the default ones")
	}
}
