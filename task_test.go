package pfnamp

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/pfnamp/pfnamp/internal/must"
	"github.com/pfnamp/pfnamp/models"
	"github.com/pfnamp/pfnamp/pfn"
	"github.com/pfnamp/pfnamp/tabular"
)

// readTable reads a table of text.
func readTable(t *testing.T, text string) *tabular.Table {
	t.Helper()
	path := filepath.Join(t.TempDir(), "t.csv")
	must.Succeed(t, os.WriteFile(path, []byte(text), 0o666))
	table, err := tabular.ReadAll(context.Background(), path, tabular.ReadOptions{})
	must.Succeed(t, err)
	return table
}

func TestTaskOf(t *testing.T) {
	table := readTable(t, "x,number,text,truth,code\n1,0.5,a,true,1\n2,2,b,false,0\n")
	for target, want := range map[string]string{
		"number": models.RegressionTask, "code": models.RegressionTask,
		"text": models.ClassificationTask, "truth": models.ClassificationTask,
	} {
		if got, err := TaskOf(table, FitOptions{Target: target}); got != want || err != nil {
			t.Errorf("%s: %s, error %v", target, got, err)
		}
	}
	got, err := TaskOf(table, FitOptions{Target: "code", Categorical: []string{"code"}})
	if got != models.ClassificationTask || err != nil {
		t.Errorf("categorical: %s, error %v", got, err)
	}
	if _, err := TaskOf(table, FitOptions{Target: "none"}); err == nil {
		t.Error("a target that is not there was accepted")
	}
	m, err := OpenFor(models.ClassificationTask, pfn.Options{})
	must.Succeed(t, err)
	m.Close()
}

func TestWarningsOfLabels(t *testing.T) {
	warnings := func(text string, m models.Manifest) (all []string) {
		for _, w := range learn(t, readTable(t, text), m, FitOptions{Target: "y"}).Warnings {
			all = append(all, w.String())
		}
		return all
	}
	for text, want := range map[string]string{
		"x,y\n1,a\n2,a\n3,b\n4,b\n": "",
		"x,y\n1,a\n2,a\n3,b\n":      `the label "b" is in one row only: its probabilities rest on that row`,
		"x,y\n1,a\n2,c\n3,b\n": `3 labels are in one row each, and their probabilities rest on that ` +
			`row: "a", "b", "c"`,
	} {
		got := warnings(text, manifestOf(t, "testdata/tabicl-classes"))
		if want == "" && got != nil || want != "" && (len(got) != 1 || got[0] != want) {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
	for text, few := range map[string]bool{
		"x,y\n1,0\n2,1\n3,0\n4,1\n": true, "x,y\n1,0\n2,1\n3,0\n": false,
		"x,y\n1,0\n2,2\n3,0\n4,2\n": false,
	} {
		if got := warnings(text, models.Manifest{}); (got != nil) != few {
			t.Errorf("%q: %q", text, got)
		}
	}
}
