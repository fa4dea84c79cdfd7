package tabular

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/memory"

	"github.com/pfnamp/pfnamp/tabular/internal/spelling"
)

// asFormats writes a table of texts, the header first, in every format that is written, and as JSON
// lines.
func asFormats(t *testing.T, rows [][]string) map[string]*Table {
	t.Helper()
	columns := make([]arrow.Array, len(rows[0]))
	for j := range columns {
		b := array.NewStringBuilder(memory.DefaultAllocator)
		for _, row := range rows[1:] {
			b.Append(row[j])
		}
		columns[j] = b.NewArray()
	}
	rec := record(strings.Join(rows[0], ","), columns...)
	tables := map[string]*Table{}
	read := func(name string, format Format, data []byte) {
		var err error
		if tables[name], err = readFrom(bytes.NewReader(data), name, ReadOptions{Format: format,
			Delimiter: map[bool]rune{true: ';'}[format == CSV]}); err != nil {
			t.Fatal(name, err)
		}
	}
	for _, format := range []Format{Parquet, ArrowFile, ArrowStream, Excel} {
		read(format.String(), format, written(t, WriteOptions{Format: format}, rec))
	}
	var csv, lines bytes.Buffer
	for i, row := range rows {
		quoted, object := []string{}, map[string]string{}
		for j, text := range row {
			quoted = append(quoted, `"`+strings.ReplaceAll(text, `"`, `""`)+`"`)
			object[rows[0][j]] = text
		}
		csv.WriteString(strings.Join(quoted, ";") + "\n")
		if line, _ := json.Marshal(object); i > 0 {
			lines.Write(append(line, '\n'))
		}
	}
	read("csv", CSV, csv.Bytes())
	read("jsonl", JSONLines, lines.Bytes())
	return tables
}

// TestSpellings reads every line of the tables of spellings, signs of missing values, truth values
// and months in every format: in a training table, in query rows, and after the schema was stored.
func TestSpellings(t *testing.T) {
	type kind struct {
		cells []string
		want  []float64
	}
	nan := math.NaN()
	var all []kind
	for _, s := range spelling.Spellings {
		want := map[string]float64{"1.5-": -1.5, "1.5 DR": 1.5, "-1_500": -1500}[s.Example]
		if want == 0 {
			want = -1.5
		}
		cells, values := []string{s.Example, "7"}, []float64{want, 7}
		if s.Name == spelling.CreditName || s.Name == spelling.DebitName {
			cells, values = []string{"1.5 CR", "1.5 DR"}, []float64{-1.5, 1.5}
		}
		all = append(all, kind{cells, values})
	}
	for _, sign := range spelling.MissingSigns {
		upper := strings.ToUpper(sign)
		if upper == "NULL" { // which is in DefaultNA, like null
			upper = "Null"
		}
		all = append(all, kind{[]string{"1", sign, "3", upper}, []float64{1, nan, 3, nan}})
	}
	for _, language := range spelling.MonthNames {
		for _, name := range strings.Fields(language) {
			if m := spelling.Months()[name]; m > 0 {
				all = append(all, kind{[]string{"1 " + name + " 1970", "3-" + name + "-1970"},
					[]float64{dayOf(m), dayOf(m) + 2}})
			}
		}
	}
	for _, k := range all {
		rows := [][]string{{"x", "n"}}
		for i, cell := range k.cells {
			rows = append(rows, []string{cell, fmt.Sprint(i)})
		}
		for name, table := range asFormats(t, rows) {
			opt := SchemaOptions{Ignore: []string{"n"}, Dates: NumberDates, Numeric: []string{"x"}}
			if name == "csv" || name == "jsonl" || name == "xlsx" {
				opt.Numeric = nil // texts of other formats are categories
			} else if s, err := Learn(table, SchemaOptions{Ignore: []string{"n"}}); err != nil ||
				len(s.Notes) == 0 {
				t.Errorf("%s: %q is read without a note: %v", name, k.cells, err)
			}
			if strings.Contains(k.cells[0], "1970") && opt.Numeric != nil {
				continue
			}
			s, err := Learn(table, opt)
			if err != nil {
				t.Errorf("%s: %q: %v", name, k.cells, err)
				continue
			}
			if len(s.Notes) == 0 {
				t.Errorf("%s: %q is read without a note", name, k.cells)
			}
			for _, schema := range []*Schema{s, throughJSON(t, s)} {
				x, _, err := schema.Training(table)
				if err != nil || !sameValues(x.Data, k.want) {
					t.Errorf("%s: %q is read as %v, %v", name, k.cells, x.Data, err)
				}
			}
		}
	}
}

// dayOf returns the first day of a month of 1970.
func dayOf(month int) float64 {
	return []float64{0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334}[month-1]
}

// TestTruths reads query rows with every pair of truth values for every other one, in every format.
func TestTruths(t *testing.T) {
	for _, pair := range spelling.Truths {
		if pair[1] == "" || pair[1] == pair[0] {
			continue
		}
		query := asFormats(t, [][]string{{"x"}, {pair[0]}, {strings.ToUpper(pair[1])}})
		for _, own := range []string{"TRUE,FALSE", "yes,no", "T,F", "1,0", "Y,N"} {
			s := learnText(t, column(append(strings.Split(own, ","), strings.Split(own, ",")...)...),
				SchemaOptions{Ignore: []string{"n"}})
			for name, table := range query {
				f, err := s.Features(table.Batches[0])
				if err != nil || !slices.Equal(f.Data, []float64{1, 0}) {
					t.Errorf("%s: %v for %s is %v, %v", name, pair, own, f.Data, err)
				}
			}
		}
	}
}
