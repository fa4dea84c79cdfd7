package run

import (
	"io"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/memory"

	"github.com/pfnamp/pfnamp/cmd/pfnamp/internal/flags"
	"github.com/pfnamp/pfnamp/cmd/pfnamp/internal/output"
	"github.com/pfnamp/pfnamp/internal/atomicfile"
	"github.com/pfnamp/pfnamp/internal/diskfault"
	"github.com/pfnamp/pfnamp/internal/must"
	"github.com/pfnamp/pfnamp/internal/orttest"
	"github.com/pfnamp/pfnamp/report"
	"github.com/pfnamp/pfnamp/tabular"
)

// writeFiles fills a folder.
func writeFiles(t *testing.T, folder string, files map[string]string) {
	t.Helper()
	must.Succeed(t, os.RemoveAll(folder))
	must.Succeed(t, os.Mkdir(folder, 0o700))
	for name, text := range files {
		must.Succeed(t, os.WriteFile(filepath.Join(folder, name), []byte(text), 0o600))
	}
}

// leaves tells what a fault leaves: what was there before, or, after a success and where the fault
// is in what follows the last rename, all that is new; nothing else but what could not be removed.
func leaves(
	t *testing.T, f diskfault.Fault, err error, folder string, before, after map[string]string,
) {
	t.Helper()
	got := diskfault.Files(t, folder)
	if f.Op == atomicfile.OpRemove {
		maps.DeleteFunc(got, func(name, _ string) bool { return strings.HasPrefix(name, ".") })
	}
	want := before
	if err == nil || f.Op == atomicfile.OpSyncDir {
		want = after
	}
	if !maps.Equal(got, want) {
		t.Errorf("%v: error %v, the folder holds %d files: %.200q", f, err, len(got), got)
	}
	if err == nil {
		t.Errorf("%v: no error", f)
	}
}

// eitherWay tells what the failure of a rename may leave: files that were renamed before it, each
// of them complete.
func eitherWay(
	t *testing.T, f diskfault.Fault, err error, folder string, before, after map[string]string,
) {
	t.Helper()
	got := diskfault.Files(t, folder)
	for name, text := range got {
		if text != before[name] && text != after[name] {
			t.Errorf("%v: %s holds %.200q", f, name, text)
		}
	}
	if err == nil || got["o.parquet"] != before["o.parquet"] {
		t.Errorf("%v: error %v, the table holds %.200q", f, err, got["o.parquet"])
	}
}

// TestOutputFaults lets every call of the file system fail by which the five outputs of a
// prediction are written: they appear together or not at all, in every format.
func TestOutputFaults(t *testing.T) {
	b := array.NewFloat64Builder(memory.DefaultAllocator)
	b.AppendValues([]float64{1, 2}, nil)
	schema := arrow.NewSchema([]arrow.Field{{Name: "x", Type: arrow.PrimitiveTypes.Float64}}, nil)
	record := array.NewRecordBatch(schema, []arrow.Array{b.NewArray()}, 2)
	folder := filepath.Join(t.TempDir(), "f")
	write := func() error {
		var o output.Files
		defer o.Discard()
		o.Document(t.Context(), filepath.Join(folder, "p.svg"), func(w io.Writer) error {
			_, err := io.WriteString(w, "a figure")
			return err
		})
		o.Document(t.Context(), filepath.Join(folder, "r.html"), report.Page{Title: "t"}.Write)
		for _, name := range []string{"j.csv.gz", "s.arrow", "o.parquet"} {
			table, err := o.File(t.Context(), filepath.Join(folder, name), schema, 0,
				tabular.WriteOptions{})
			if err != nil {
				return err
			}
			if err := table.Round(record); err != nil {
				return err
			}
		}
		return o.Commit()
	}
	writeFiles(t, folder, nil)
	must.Succeed(t, write())
	after := diskfault.Files(t, folder)
	before := map[string]string{"o.parquet": "old", "s.arrow": "old too"}
	faults := diskfault.Walk(t, func() { writeFiles(t, folder, before) }, write,
		func(f diskfault.Fault, err error) {
			if f.Op == atomicfile.OpRename {
				eitherWay(t, f, err, folder, before, after)
				return
			}
			leaves(t, f, err, folder, before, after)
		})
	t.Logf("%d faults", faults)
}

// TestTogetherDiscards: where one output cannot be finished, those before it are discarded.
func TestTogetherDiscards(t *testing.T) {
	folder := t.TempDir()
	var o output.Files
	for name, failure := range map[string]error{"a": nil, "b": os.ErrClosed, "c": nil} {
		o.Document(t.Context(), filepath.Join(folder, name), func(io.Writer) error { return failure })
	}
	err := o.Commit()
	if left := diskfault.Files(t, folder); err == nil || len(left) > 0 {
		t.Errorf("error %v, left %q", err, left)
	}
}

// TestStateFaults does the same for a saved state.
func TestStateFaults(t *testing.T) {
	t.Setenv("PFNAMP_ORT_LIB", orttest.Library(t))
	train := filepath.Join(t.TempDir(), "t.csv")
	must.Succeed(t, os.WriteFile(train, []byte("a,y\n1,2\n2,3\n3,5\n"), 0o600))
	job := &Job{From: Options{Train: train, Quiet: true, Task: flags.ByTarget,
		Model: filepath.Join("..", "..", "..", "..", "testdata", "tiny")}}
	job.From.Fit.Target = "y"
	defer job.Close()
	for _, step := range []func() error{
		func() error { return job.LoadBundle(t.Context()) },
		func() error { return job.Open(t.Context()) },
		func() error { return job.OpenModel(t.Context()) },
		func() error { return job.Fit(t.Context()) },
	} {
		must.Succeed(t, step())
	}
	folder := filepath.Join(t.TempDir(), "f")
	save := func() error {
		return job.Save(t.Context(), filepath.Join(folder, "s.state"), false)
	}
	writeFiles(t, folder, nil)
	must.Succeed(t, save())
	before, after := map[string]string{"s.state": "old"}, diskfault.Files(t, folder)
	faults := diskfault.Walk(t, func() { writeFiles(t, folder, before) }, save,
		func(f diskfault.Fault, err error) { leaves(t, f, err, folder, before, after) })
	t.Logf("%d faults", faults)
}
