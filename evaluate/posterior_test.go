package evaluate_test

import (
	"testing"

	"github.com/pfnamp/pfnamp/evaluate"
)

// Tables and reports look methods up by the names that package amp gives them.
func TestMethodNames(t *testing.T) {
	set := evaluate.Setting{Chains: 2, Steps: 1, Refits: 2}
	want := []string{evaluate.MethodPaper, evaluate.MethodLimit, evaluate.MethodDirect,
		evaluate.MethodCompanion, evaluate.MethodBootstrap}
	for i, m := range set.Methods(false) {
		if m.Name() != want[i] {
			t.Errorf("method %d is called %s, want %s", i, m.Name(), want[i])
		}
	}
}
