package tabular

import (
	"bytes"
	"fmt"
	"io"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/pfnamp/pfnamp/internal/must"
)

// texts lists the cells of a column, and the places of their rows.
func texts(t *testing.T, table *Table, name string) string {
	t.Helper()
	var cells []string
	for r := table.Reader(); ; {
		b, err := r.Next(t.Context())
		if err == io.EOF {
			return strings.Join(cells, " ")
		}
		must.Succeed(t, err)
		column, _ := b.Column(name)
		for i := range b.Rows() {
			cells = append(cells, fmt.Sprintf("%s@%d", column.ValueStr(i), b.Index(i)+1))
		}
	}
}

// A table is cut by the cells of a column, in every format, and its rows keep their places.
func TestPartition(t *testing.T) {
	text := readText(t, "a,y\nu,1\nv,\nw,NA\nx,2\ny,3\nz,\n", ReadOptions{BatchRows: 4})
	with, without, err := text.Partition("y")
	must.Succeed(t, err)
	if got := texts(t, with, "a"); got != "u@1 x@4 y@5" || with.Rows != 3 {
		t.Errorf("with a value: %s", got)
	}
	if got := texts(t, without, "a"); got != "v@2 w@3 z@6" || without.Rows != 3 {
		t.Errorf("without: %s", got)
	}
	if first := with.Batches[1].First; first != 2 {
		t.Errorf("the second batch begins at row %d", first)
	}
	_, err = Learn(without, SchemaOptions{Target: "a"})
	checkError(t, err, `stdin:3: column "a": "v" is not a number; 3 cells like this: "v", "w", "z"`)

	rec := randomRecord(rand.New(rand.NewPCG(5, 5)), flatTypes(), 100)
	cut := 0
	for _, format := range []Format{Parquet, ArrowFile, ArrowStream} {
		data := written(t, WriteOptions{Format: format}, rec)
		table, err := readFrom(bytes.NewReader(data), "t", ReadOptions{BatchRows: 30})
		must.Succeed(t, err)
		for _, name := range table.Names() {
			with, without, err := table.Partition(name)
			if err != nil {
				if e, ok := err.(*Error); !ok || !strings.Contains(e.Msg, "not supported") {
					t.Errorf("%v: %v", format, err)
				}
				continue
			}
			cut += int(min(with.Rows, without.Rows))
			if with.Rows+without.Rows != 100 {
				t.Errorf("%v: %s: %d and %d rows", format, name, with.Rows, without.Rows)
			}
		}
	}
	if cut == 0 {
		t.Error("no column has both")
	}
	for _, name := range []string{"b", "A"} {
		_, _, err := text.Partition(name)
		if e, ok := err.(*Error); !ok || e.Column != name {
			t.Errorf("%s: %v", name, err)
		}
	}
}
