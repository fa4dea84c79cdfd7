package tabular

import (
	"fmt"
	"strings"
	"testing"
)

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
		"x,X\n1,2\n3,4\n": `columns "x" and "X" differ only by case`,
		"1,2\n1,2\n3,4\n": "every column name is a number",
	} {
		_, err := Learn(readText(t, text, ReadOptions{}), SchemaOptions{Strict: true})
		if err == nil || !strings.Contains(err.Error(), note) {
			t.Errorf("%q: %v", text, err)
		}
	}
}
