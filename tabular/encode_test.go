package tabular

import (
	"errors"
	"math"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/apache/arrow-go/v18/arrow"

	"github.com/pfnamp/pfnamp/internal/must"
	"github.com/pfnamp/pfnamp/tabular/internal/ground"
)

// sameValues compares values, NaN being equal to itself.
func sameValues(a, b []float64) bool {
	return slices.EqualFunc(a, b, func(x, y float64) bool {
		return x == y || math.IsNaN(x) && math.IsNaN(y)
	})
}

func batchOf(t testing.TB, text string) *Batch {
	t.Helper()
	return readText(t, text, ReadOptions{Delimiter: ','}).Batches[0]
}

const trainText = `id,num,cat,flag,day,time,none,y
1,1.5,b,true,1970-01-02,1970-01-01T00:01,,10
2,NA,a,FALSE,,1970-01-01T01:00:00+01:00,NA,20
3,-2e3,,NA,1969-12-31,,,30
`

// TestQuery encodes a table with its columns in another order, further ones, and new categories.
func TestQuery(t *testing.T) {
	s := learnText(t, trainText, SchemaOptions{Target: "y", Keep: []string{"id"},
		Ignore: []string{"id"}})
	b := batchOf(t, "extra,none,time,day,flag,cat,num,id\n"+
		"5,,1970-01-01T00:00:02,1970-01-03,False,a,7,A\n"+
		"6,text,,1970-01-01T12:00,?,zzz,,B\n"+
		"7,,,,,zz,,C\n")
	f, err := s.Features(b)
	must.Succeed(t, err)
	nan := math.NaN()
	want := []float64{
		7, 0, 0, 2, 2, nan,
		nan, nan, -1, 0.5, nan, nan,
		nan, nan, -1, nan, nan, nan,
	}
	if !sameValues(f.Data, want) {
		t.Errorf("got %v", f.Data)
	}
	if len(f.Unseen) != 1 || f.Unseen["cat"] != 2 {
		t.Errorf("unseen %v", f.Unseen)
	}
	notes := []string{`column "flag" has "?" in cells without a value`,
		`column "time" has times without a time zone, but those of stdin have one: ` +
			"pfnamp reads times without one as UTC",
		`column "none" has no value in the training table: it is ignored`}
	if !slices.Equal(f.Notes, notes) {
		t.Errorf("notes %q", f.Notes)
	}
	notes, err = s.Match("q.csv", ground.FieldNames(b.Record.Schema()))
	if want := []string{`1 column not in stdin, ignored: "extra"`}; err != nil ||
		!slices.Equal(notes, want) {
		t.Errorf("notes %q, %v", notes, err)
	}
	if id, ok := b.Column("id"); !ok || id.ValueStr(2) != "C" {
		t.Errorf("kept column %v", id)
	}
	if _, ok := b.Column("ID"); ok {
		t.Error("a column that does not exist")
	}
}

func TestMatch(t *testing.T) {
	opt := SchemaOptions{Target: "y", Keep: []string{"id"}, Ignore: []string{"id", "day"}}
	s := learnText(t, trainText, opt)
	all := []string{"id", "num", "cat", "flag", "time", "none"}
	notes, err := s.Match("q.csv", append([]string{"y", "day"}, all...))
	if err != nil || len(notes) > 0 {
		t.Errorf("notes %q, %v", notes, err)
	}
	without := func(names ...string) []string {
		return slices.DeleteFunc(slices.Clone(all), func(name string) bool {
			return slices.Contains(names, name)
		})
	}
	_, err = s.Match("q.csv", append(without("num"), "Num"))
	checkError(t, err,
		`q.csv: column "num": the table has no such column; nearest: "Num" (stdin has it)`)
	_, err = s.Match("q.csv", without("num", "flag"))
	checkError(t, err, `q.csv: 2 columns of stdin are missing: "num", "flag"`)
	_, err = s.Match("q.csv", without("id"))
	checkError(t, err, `q.csv: column "id": the table has no such column`)
	for file, remedy := range map[string]bool{"q.csv": true, "q.tsv.gz": true, "q.xlsx": true,
		"q.parquet": false, "q.jsonl": false, "request": false} { // without a row of names
		_, err = s.Match(file, []string{"other"})
		var e *Error
		if !errors.As(err, &e) || strings.Contains(e.Hint, "another row has the names") != remedy {
			t.Errorf("%s: %v, hint %q", file, err, e.Hint)
		}
	}
	_, err = s.Features(batchOf(t, "id,num,cat,flag,tame,none\n1,2,3,T,5,6\n"))
	checkError(t, err,
		`stdin: column "time": the table has no such column; nearest: "tame" (stdin has it)`)
}

func TestFeatureErrors(t *testing.T) {
	s := learnText(t, "n,d,t,y\n1,2020-01-02,2020-01-02T03:04,1\n", SchemaOptions{Target: "y"})
	tests := []struct{ name, rows, want string }{
		{"text in a numeric column",
			"5,,\n12 kg,,\n1_000,,\n12 kg,,\n0x1,,\ninf,,\n\"1,5\",,\n1e999,,\n",
			`stdin:3: column "n": "12 kg" is not a number; ` +
				`6 cells like this: "12 kg", "0x1", "inf", "1,5", "1e999"`},
		{"one text", "abc,,\n", `stdin:2: column "n": "abc" is not a number`},
		{"too large", "1e999,,\n", `stdin:2: column "n": "1e999" is not a number: ` +
			`it is too large for a number (the limit is 1.8e308)`},
		{"remark", "1,,\n\nSource: the office,,\n2,,\n# end,,\n", `stdin:4: column "n": "Source: ` +
			`the office" is not a number; its row has no other cell: if it is a remark, remove it; ` +
			`2 cells like this: "Source: the office", "# end"`},
		{"no remark", "of May,2020-01-02,\n", `stdin:2: column "n": "of May" is not a number`},
		{"no date", "1,3 May,\n", `stdin:2: column "d": "3 May" is not a date (2006-01-02)`},
		{"no time", "1,,25:00\n",
			`stdin:2: column "t": "25:00" is not a time (2006-01-02T15:04:05)`},
		{"boolean", "true,,\n", `stdin:2: column "n": "true" is not a number`},
		{"long text", strings.Repeat("z", 100) + ",,\n",
			`stdin:2: column "n": "` + strings.Repeat("z", 60) + `"... is not a number`},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			_, err := s.Features(batchOf(t, "n,d,t\n"+test.rows))
			checkError(t, err, test.want)
			if e := err.(*Error); e.Hint == "" {
				t.Error("there is no hint")
			}
		})
	}
}

// TestNumberCategories checks that categories that are numbers match by value.
func TestNumberCategories(t *testing.T) {
	s := learnText(t, "c,y\n3.0,1\n10,2\n007,3\n7,4\n", SchemaOptions{
		Target: "y", Categorical: []string{"c"},
	})
	f, err := s.Features(batchOf(t, "c,z\n3,0\n3.0,0\n1e1,0\n007,0\n7,0\n7.0,0\n4,0\n"))
	must.Succeed(t, err)
	// The categories are 007, 10, 3.0 and 7.
	if want := []float64{2, 2, 1, 0, 3, 3, math.NaN()}; !sameValues(f.Data, want) {
		t.Errorf("got %v, want %v", f.Data, want)
	}
}

// TestConcurrentUse encodes batches of a table at the same time; the race detector watches.
func TestConcurrentUse(t *testing.T) {
	table := readText(t, trainText, ReadOptions{BatchRows: 1})
	s, want, _ := trained(t, table, SchemaOptions{Target: "y", Categorical: []string{"id"}})
	var wg sync.WaitGroup
	for range 4 {
		for i, b := range table.Batches {
			wg.Go(func() {
				f, err := s.Features(b)
				if err != nil || !sameValues(f.Data, want.Data[i*want.Cols:(i+1)*want.Cols]) {
					t.Errorf("row %d: %v, %v", i, f.Data, err)
				}
			})
		}
	}
	wg.Wait()
}

// Truth values where the training table has numbers are 1 and 0, which a note says.
func TestTruthAsNumber(t *testing.T) {
	s := &Schema{File: "train.csv", na: newNA(nil),
		Columns: []Column{{Name: "x", Kind: Numeric, Lo: 0, Hi: 1}}}
	query := typedTable(t, arrayOf(t, arrow.FixedWidthTypes.Boolean, "[true, false]"))
	f, err := s.Features(query.Batches[0])
	want := []string{`column "x" holds true and false, but numbers in train.csv: true is read as 1, false as 0`}
	if err != nil || f.Data[0] != 1 || f.Data[1] != 0 || !slices.Equal(f.Notes, want) {
		t.Errorf("%v, %v, notes %q", f.Data, err, f.Notes)
	}
}

// Other spellings of truth values mean the same as those of the training table, which has true and
// false or 0 and 1, with a note; what is none, and truth values beside other numbers, are refused.
func TestTruthsOfQueries(t *testing.T) {
	for _, c := range []struct {
		train, query string
		want         []float64
		note, hint   string // a note, or the hint of an error
	}{
		{"true FALSE true", "1 0 1.0 no true", []float64{1, 0, 1, 0, 1},
			`column "x" has "1" where the training table has "true": they are read as the same`, ""},
		{"TRUE FALSE TRUE", "true FALSE false 1 True", []float64{1, 0, 0, 1, 1},
			`column "x" has "1" where the training table has "TRUE": they are read as the same`, ""},
		{"true FALSE true", "1 2 maybe", nil, "", "correct the cells"},
		{"1 0 1", "yes FALSE", []float64{1, 0}, `column "x" holds truth values, but 0 and 1`, ""},
		{"1 0 2", "1 true false", nil, "", "write true as 1 and false as 0"},
		{"1 0 2", "1 true many", nil, "", "correct the cells"},
	} {
		train := "x,y\n" + strings.Join(strings.Fields(c.train), ",1\n") + ",1\n"
		s := learnText(t, train, SchemaOptions{Target: "y"})
		query := readText(t, "x\n"+strings.Join(strings.Fields(c.query), "\n"), ReadOptions{})
		f, err := s.Features(query.Batches[0])
		if e, refused := errors.AsType[*Error](err); refused {
			if c.want != nil || !strings.Contains(e.Hint, c.hint) {
				t.Errorf("%s: %v, %s", c.query, err, e.Hint)
			}
		} else if !slices.Equal(f.Data, c.want) || f.Unseen["x"] != 0 || len(f.Notes) == 0 ||
			!strings.HasPrefix(f.Notes[0], c.note) {
			t.Errorf("%s: %v, %v, notes %q", c.query, f.Data, err, f.Notes)
		}
	}
}
