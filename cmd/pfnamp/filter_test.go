package main

import (
	"bufio"
	"io"
	"os/exec"
	"testing"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/ipc"
	"github.com/apache/arrow-go/v18/arrow/memory"

	"github.com/pfnamp/pfnamp/internal/must"
	"github.com/pfnamp/pfnamp/tabular"
)

// TestFilter uses the program as a filter of Arrow streams that lives as long as its input: the
// rows of a batch come back before the next one is sent.
func TestFilter(t *testing.T) {
	besideTiny(t)
	filter := exec.Command("pfnamp", "predict", "t.csv", "-", "-y", "y", "--chains", "20", "-q",
		"--to", "arrows")
	in, err := filter.StdinPipe()
	must.Succeed(t, err)
	out, err := filter.StdoutPipe()
	must.Succeed(t, err)
	must.Succeed(t, filter.Start())
	defer filter.Process.Kill()
	b := array.NewRecordBuilder(memory.DefaultAllocator, arrow.NewSchema(
		[]arrow.Field{{Name: "a", Type: arrow.PrimitiveTypes.Float64}}, nil))
	b.Field(0).(*array.Float64Builder).AppendValues([]float64{1, 2.5, 7}, nil)
	rows := b.NewRecordBatch()
	w, err := tabular.Create("-", rows.Schema(), tabular.WriteOptions{Stdout: in,
		Format: tabular.ArrowStream, Flush: true})
	must.Succeed(t, err)
	var answers *ipc.Reader
	for range 3 {
		must.Succeed(t, w.Write(rows))
		if answers == nil { // the schema comes with the first rows
			answers, err = ipc.NewReader(bufio.NewReader(out))
			must.Succeed(t, err)
		}
		if !answers.Next() || answers.RecordBatch().NumRows() != rows.NumRows() {
			t.Fatalf("no answer: %v", answers.Err())
		}
	}
	must.Succeed(t, w.Commit())
	in.Close()
	if answers.Next() || answers.Err() != nil {
		t.Errorf("an answer too many, or %v", answers.Err())
	}
	_, err = io.Copy(io.Discard, out)
	must.Succeed(t, err)
	must.Succeed(t, filter.Wait())
}
