package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/pfnamp/pfnamp"
	"github.com/pfnamp/pfnamp/internal/must"
	"github.com/pfnamp/pfnamp/internal/orttest"
	"github.com/pfnamp/pfnamp/pfn"
	"github.com/pfnamp/pfnamp/tabular"
)

func TestMain(m *testing.M) { orttest.Main(m, "") }

// The answers of three batches are a table with the columns of the program.
func TestPredict(t *testing.T) {
	model, err := pfnamp.Open("", pfn.Options{Library: orttest.Library(t), Members: 1})
	must.Succeed(t, err)
	defer model.Close()
	folder := t.TempDir()
	var train, test strings.Builder
	train.WriteString("area,price\n")
	test.WriteString("area\n")
	for i := range 40 {
		fmt.Fprintf(&train, "%d,%d\n", 20+i, 60+3*i)
	}
	const rows = 2*tabular.DefaultBatchRows + 100
	for i := range rows {
		fmt.Fprintf(&test, "%g\n", 20+float64(i%400)/10)
	}
	paths := [3]string{}
	for i, name := range []string{"train.csv", "test.csv", "out.arrow"} {
		paths[i] = filepath.Join(folder, name)
		if i < 2 {
			text := []string{train.String(), test.String()}[i]
			must.Succeed(t, os.WriteFile(paths[i], []byte(text), 0o600))
		}
	}
	must.Succeed(t, predict(t.Context(), model, paths[0], paths[1], "price", paths[2]))
	answers, err := tabular.ReadAll(t.Context(), paths[2], tabular.ReadOptions{})
	must.Succeed(t, err)
	n := 0
	for _, batch := range answers.Batches {
		n += batch.Rows()
	}
	const want = "mean mean_lo mean_hi pi_lo pi_hi"
	if got := strings.Join(answers.Names(), " "); n != rows || got != want {
		t.Errorf("%d rows of %s", n, got)
	}
	if err := predict(t.Context(), model, paths[0], paths[1], "town", paths[2]); err == nil {
		t.Error("a target that is not there is predicted")
	}
}
