package govalues

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/pfnamp/pfnamp/internal/must"
	"github.com/pfnamp/pfnamp/tabular"
)

// Maps, structs and a file with the same cells make the same features.
func TestTableOfGoValues(t *testing.T) {
	type cell struct {
		Length int `json:"Size,omitempty"`
		Town   *string
		Sold   bool
		When   time.Time `json:",omitempty"`
		Y      float32   `pfnamp:"y" json:"price"`
		Secret string    `json:"-"`
		hidden int
	}
	york, day := "York", time.Date(2024, 5, 6, 7, 8, 9, 0, time.UTC)
	structs := []cell{{3, &york, true, day, 1.5, "x", 1},
		{4, nil, false, day.Add(time.Hour), 2, "", 2}}
	maps := []map[string]any{
		{"Size": int64(3), "Town": "York", "Sold": true, "When": day, "y": 1.5},
		{"Size": uint8(4), "Sold": false, "When": day.Add(time.Hour), "y": 2},
	}
	const text = "Size,Town,Sold,When,y\n3,York,true,2024-05-06T07:08:09Z,1.5\n" +
		"4,,false,2024-05-06T08:08:09Z,2\n"
	reader, err := tabular.OpenReader(strings.NewReader(text), "t.csv", tabular.ReadOptions{})
	must.Succeed(t, err)
	defer reader.Close()
	batch, err := reader.Next(t.Context())
	must.Succeed(t, err)
	file := &tabular.Table{File: "t.csv", Schema: reader.Schema(), Rows: 2,
		Batches: []*tabular.Batch{batch}}
	var want map[string][]float64
	for _, rows := range []any{file, structs, maps} {
		table, ok := rows.(*tabular.Table)
		if !ok {
			if table, err = Table("t", rows); err != nil {
				t.Fatal(err)
			}
		}
		schema, err := tabular.Learn(table, tabular.SchemaOptions{Target: "y"})
		must.Succeed(t, err)
		features, y, err := schema.Training(table)
		must.Succeed(t, err)
		got := map[string][]float64{"y": y}
		for j, c := range schema.Columns {
			got[c.Name] = features.Column(nil, j)
		}
		if want == nil {
			want = got
		}
		for name, values := range want {
			for i, v := range values {
				if len(got) != len(want) || got[name][i] != v {
					t.Errorf("%T: %q is %v, want %v", rows, name, got[name], values)
				}
			}
		}
	}
}

// What is no cell is refused with its place.
func TestTableRefuses(t *testing.T) {
	for want, rows := range map[string]any{
		`rows are a int: pass`:                                      3,
		`t: row 2: the row is a nil pointer`:                        []*struct{ A int }{{1}, nil},
		`t: row 2: column "a": the column mixes string and float64`: []map[string]any{{"a": 1}, {"a": "x"}},
		`t: row 1: column "a": a cell cannot be a []int`:            []map[string]any{{"a": []int{1}}},
		`column "tags": a cell cannot be a []string: use a number, string, bool, time.Time or nil, or ` +
			`leave the column out (a field by the tag pfnamp:"-")`: []struct {
			Tags []string `json:"tags"`
		}{{}},
		`t: row 1: column "a": the time 0001-01-01 00:00:00`: []map[string]any{{"a": time.Time{}}},
		`t: row 2: column "a": the time 2262-01-01 00:00:00`: []map[string]any{{"a": time.Unix(0, 0)},
			{"a": time.Date(2262, 1, 1, 0, 0, 0, 0, time.UTC)}},
	} {
		if _, err := Table("t", rows); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
}

// Times of the first and the last year are cells; fields of an embedded struct that is not there
// are missing.
func TestTableOfOddValues(t *testing.T) {
	first := time.Date(1678, 1, 1, 0, 0, 0, 0, time.UTC)
	last := time.Date(2261, 12, 31, 23, 59, 59, 0, time.UTC)
	if _, err := Table("t", []map[string]any{{"a": first}, {"a": last}}); err != nil {
		t.Error(err)
	}
	type Place struct{ Town string }
	type house struct {
		Size int
		*Place
	}
	table, err := Table("t", []house{{3, &Place{"York"}}, {4, nil}})
	must.Succeed(t, err)
	if town := table.Batches[0].Record.Column(1); town.IsNull(0) || !town.IsNull(1) {
		t.Errorf("%v", town)
	}
}

// No rows as maps name no columns.
func TestTableOfNothing(t *testing.T) {
	_, err := Table("flats", []map[string]any{})
	if fault, ok := errors.AsType[*tabular.Error](err); !ok ||
		!strings.Contains(fault.Msg, "no rows") {
		t.Errorf("%v", err)
	}
}
