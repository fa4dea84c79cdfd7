package arrow

import (
	"encoding/binary"
	"io"
	"os"
	"strings"
	"testing"

	"github.com/pfnamp/pfnamp/internal/must"
	"github.com/pfnamp/pfnamp/tabular/internal/ground"
)

// TestReadsPolars reads a file whose schema has no frame and whose dictionaries follow the batches.
// Polars 2.1.0 has written it:
//
//	polars.DataFrame({
//		"town": polars.Series(["Rome", None, "Oslo"], dtype=polars.Categorical),
//		"size": polars.Series(["S", "L", "S"], dtype=polars.Enum(["S", "L"])),
//		"text": ["a", "more than twelve bytes", None],
//	}).write_ipc("testdata/polars.arrow", record_batch_size=2)
func TestReadsPolars(t *testing.T) {
	f, err := os.Open("testdata/polars.arrow")
	must.Succeed(t, err)
	defer f.Close()
	info, err := f.Stat()
	must.Succeed(t, err)
	source, err := OpenFile(ground.Input{File: io.NewSectionReader(f, 0, info.Size())},
		ground.Options{BatchRows: 10})
	must.Succeed(t, err)
	for _, want := range []string{`Rome S a,(null) L more than twelve bytes`, `Oslo S (null)`} {
		b, err := source.Next(t.Context())
		must.Succeed(t, err)
		var rows []string
		for row := range b.Rows() {
			var cells []string
			for _, column := range b.Record.Columns() {
				cells = append(cells, column.ValueStr(row))
			}
			rows = append(rows, strings.Join(cells, " "))
		}
		if got := strings.Join(rows, ","); got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
	if _, err := source.Next(t.Context()); err != io.EOF {
		t.Errorf("end: %v", err)
	}
}

func TestBudget(t *testing.T) {
	b := budget{left: 10}
	if n := len(b.Allocate(10)); n != 10 {
		t.Errorf("%d bytes instead of 10", n)
	}
	defer func() {
		if err, ok := recover().(error); !ok || !strings.Contains(err.Error(), "64 times") {
			t.Errorf("got %v", err)
		}
	}()
	b.Allocate(1)
}

func TestNewFileRefuses(t *testing.T) {
	tail := func(size uint32, end string) string {
		return string(binary.LittleEndian.AppendUint32([]byte("ARROW1\x00\x00junkjunk"), size)) + end
	}
	for file, want := range map[string]string{
		"ARROW1":                       "too short",
		tail(8, "ARROW2"):              "cut off",
		tail(1e6, string(magicFile)):   "footer has 1000000 bytes",
		tail(0, string(magicFile)):     "footer has 0 bytes",
		tail(8, string(magicFile)):     "",
		tail(1<<31, string(magicFile)): "footer has 2147483648 bytes",
		tail(7, "ARROW1\n"):            "cut off",
	} {
		_, err := newFile(io.NewSectionReader(strings.NewReader(file), 0, int64(len(file))))
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: error %v, want %q", file, err, want)
		}
	}
}
