package tabular

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
)

// TestMaxRows reads tables of ten rows: they are refused where fewer are allowed, with the number
// of rows.
func TestMaxRows(t *testing.T) {
	for _, format := range []Format{CSV, Parquet, ArrowFile, ArrowStream} {
		path := writeFile(t, "t."+format.String(),
			string(written(t, WriteOptions{Format: format}, numbers(10))))
		for limit, want := range map[int64]string{0: "", 10: "",
			9: path + ": the table has 10 rows, at most 9 can be used"} {
			_, err := ReadAll(context.Background(), path, ReadOptions{MaxRows: limit})
			if want == "" && err != nil || want != "" && (err == nil || err.Error() != want) {
				t.Errorf("%s, at most %d: %v, want %v", format, limit, err, want)
			}
			if table, ok := errors.AsType[*Error](err); want != "" && (!ok || !table.Limit) {
				t.Errorf("%s: not an *Error about a limit: %v", format, err)
			}
		}
	}
}

// TestMaxRowsOfTheFooter refuses by the footer, before pages are read, which are damaged here.
func TestMaxRowsOfTheFooter(t *testing.T) {
	data := written(t, WriteOptions{Format: Parquet}, numbers(5000))
	for i := 4; i < 200; i++ {
		data[i] ^= 0x55
	}
	path := writeFile(t, "t.parquet", string(data))
	if _, err := ReadAll(context.Background(), path, ReadOptions{}); err == nil {
		t.Fatal("the pages are not damaged")
	}
	_, err := ReadAll(context.Background(), path, ReadOptions{MaxRows: 100})
	if !strings.HasSuffix(fmt.Sprint(err), "the table has 5000 rows, at most 100 can be used") {
		t.Errorf("error %v", err)
	}
}

// TestMaxRowsEndsReading reads a text without end.
func TestMaxRowsEndsReading(t *testing.T) {
	endless := io.MultiReader(bytes.NewReader([]byte("x,y\n")), repeat("1,2\n"))
	_, err := readFrom(endless, "t.csv", ReadOptions{MaxRows: 100})
	var rows int
	_, text, _ := strings.Cut(fmt.Sprint(err), "more than ")
	if n, _ := fmt.Sscan(text, &rows); n != 1 || rows > 3*DefaultBatchRows {
		t.Errorf("error %v", err)
	}
}
