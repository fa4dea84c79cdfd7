package tabular

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/xuri/excelize/v2"
)

// A row that is named is that of the columns, whatever stands before it and however lines end.
func TestHeaderRow(t *testing.T) {
	for _, end := range []string{"\n", "\r\n", "\r"} {
		text := strings.ReplaceAll("Sales, \"2024\n\na;b\n1;2\n", "\n", end)
		table, err := readFrom(strings.NewReader(text), "t.csv", ReadOptions{HeaderRow: 3})
		if err != nil || fmt.Sprint(table.Names()) != "[a b]" || table.Rows != 1 ||
			table.Batches[0].Lines[0] != 4 {
			t.Errorf("%q: %v, %d rows, %v", end, table.Names(), table.Rows, err)
		}
	}
	long := strings.Repeat("title ", 100_000) + "\na,b\n1,2\n"
	if r, err := OpenReader(strings.NewReader(long), "t.csv", ReadOptions{HeaderRow: 2}); err != nil ||
		fmt.Sprint(r.Names()) != "[a b]" {
		t.Errorf("a long title: %v", err)
	}
	_, err := OpenReader(strings.NewReader("a\n1"), "t.csv", ReadOptions{HeaderRow: 4})
	checkError(t, err, "t.csv: line 4 should name the columns, but it is empty or missing")
	_, err = OpenReader(strings.NewReader("title\n\na,b\n1,2\n"), "t.csv", ReadOptions{})
	if e, ok := err.(*Error); !ok || !strings.Contains(e.Hint, "ReadOptions.HeaderRow 3") {
		t.Errorf("a title without the option: %v", err)
	}
}

// Sheets likewise; the hint of a sheet with a title can be followed.
func TestHeaderRowOfSheet(t *testing.T) {
	data := writeBook(t, func(f *excelize.File) error {
		return setRows(f, "Sheet1", []any{"Sales of 2024"}, nil, []any{"a", "b"}, []any{1, 2})
	})
	_, err := readBook(data, "")
	if e, ok := err.(*Error); !ok || !strings.Contains(e.Hint, "ReadOptions.HeaderRow 3") {
		t.Fatalf("a title without the option: %v", err)
	}
	for row, want := range map[int]string{3: "[a b]",
		2: "t.xlsx: row 2 should name the columns, but it is empty or missing",
		9: "t.xlsx: row 9 should name the columns, but it is empty or missing"} {
		table, err := readFrom(bytes.NewReader(data), "t.xlsx", ReadOptions{HeaderRow: row})
		if err != nil {
			checkError(t, err, want)
		} else if fmt.Sprint(table.Names()) != want {
			t.Errorf("row %d: %v", row, table)
		}
	}
}
