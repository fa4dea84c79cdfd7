package tabular

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// Strict refuses every note on a column, with the note; not how a date is read that means one day.
func TestStrictRefusesNotes(t *testing.T) {
	var numbers, texts, few, dates, far, groups, near []string
	for i := range 60 {
		numbers = append(numbers, fmt.Sprintf("01%d", i%7))
		texts = append(texts, fmt.Sprintf("text %d", i-i/20))
		few = append(few, []string{"1", "1", "1", "a", "b", "c"}[i%6])
		dates = append(dates, []string{"2021-01-01", "2021-01-01", "a", "b", "c", "2021-01-01"}[i%6])
		far = append(far, []string{"-999999", "1", "2", "1.5"}[min(3, i)])
		groups = append(groups, fmt.Sprint(3*(i%5)))
		near = append(near, fmt.Sprint(1<<60+1024*(i%9)))
	}
	ids, many := []string{}, []string{}
	for i := range 2200 {
		ids, many = append(ids, fmt.Sprint(i+1)), append(many, fmt.Sprint("c", i%1050))
	}
	tables := map[string]*Table{}
	for name, x := range map[string][]string{
		"zeros": numbers, "texts": texts, "few": few, "dates": dates, "far": far, "near": near,
		"many": many, "large": {"1e301", "2e301", "3e301", "3e301"},
		"empty": {"", "", "", ""}, "signs": {"1", "2", "?", "3"}, "days": {"31.12.2019", "1.1.2020"},
		"forms": {"5 kg", "6 kg", "7.5 kg"}, "spaces": {"a", "a ", "b", "b"},
		"truths": {"true", "false", "maybe", "true"},
		"like":   {"No. 1.5", "No. 1.7", "No. 2.5", "No. 2.5"},
	} {
		tables[name] = tableOf(t, "x", x)
	}
	tables["groups"] = tableOf(t, "school", groups)
	tables["numbers of parquet"] = asFormats(t, columnOf("x", "1", "2", "3", "2"))["parquet"]
	tables["dates of parquet"] = asFormats(t, columnOf("x", "2021-01-01", "2021-01-02",
		"2021-01-02"))["parquet"]
	check := func(name string, table *Table, opt SchemaOptions) {
		s, err := Learn(table, opt)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			return
		}
		opt.Strict = true
		_, err = Learn(table, opt)
		e, ok := err.(*Error)
		if !ok || !slices.ContainsFunc(s.Notes, func(note string) bool {
			return strings.HasPrefix(e.Hint, note)
		}) || !strings.HasSuffix(e.Hint, "without SchemaOptions.Strict this is a note") {
			t.Errorf("%s: %q is refused with %v", name, s.Notes, err)
		}
	}
	for name, table := range tables {
		check(name, table, SchemaOptions{Ignore: []string{"n"}})
	}
	check("ids", tableOf(t, "x", ids), SchemaOptions{})
	check("labels", tableOf(t, "x", []string{"a", "A", "b"}), SchemaOptions{Target: "x", Labels: true})
	check("zero-led labels", tableOf(t, "x", []string{"001", "002", "001"}),
		SchemaOptions{Target: "x", Labels: true})
	iso := tableOf(t, "x", []string{"2021-01-01", "2021-02-01", "2021-01-01"})
	s, err := Learn(iso, SchemaOptions{Ignore: []string{"n"}, Strict: true})
	if err != nil || len(s.Notes) == 0 {
		t.Errorf("ISO 8601: %v", err)
	}
}

// columnOf is a table of one column and a number, its header first.
func columnOf(name string, cells ...string) [][]string {
	rows := [][]string{{name, "n"}}
	for i, cell := range cells {
		rows = append(rows, []string{cell, fmt.Sprint(i % 3)})
	}
	return rows
}

func tableOf(t *testing.T, name string, cells []string) *Table {
	t.Helper()
	var b strings.Builder
	for _, row := range columnOf(name, cells...) {
		b.WriteString(strings.Join(row, ";") + "\n")
	}
	return readText(t, b.String(), ReadOptions{Delimiter: ';'})
}

// Strict refuses a file with notes, as on names of columns that may be none.
func TestStrictRefusesFiles(t *testing.T) {
	for text, note := range map[string]string{
		"x,X\n1,2\n3,4\n": "differ only by case",
		"1,2\n1,2\n3,4\n": "every column name is a number",
	} {
		_, err := Learn(readText(t, text, ReadOptions{}), SchemaOptions{Strict: true})
		if err == nil || !strings.Contains(err.Error(), note) {
			t.Errorf("%q: %v", text, err)
		}
	}
}
