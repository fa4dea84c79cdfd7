package pfn

import (
	"slices"
	"testing"

	"github.com/pfnamp/pfnamp/internal/orttest"
	"github.com/pfnamp/pfnamp/models"
)

// vectors are the golden cases of a bundle.
func vectors[C goldenCase](t *testing.T, b *models.Bundle) []C {
	t.Helper()
	cases, err := goldenCases(b)
	if err != nil {
		t.Fatal(err)
	}
	var list []C
	for _, c := range cases {
		list = append(list, c.(C))
	}
	return list
}

// checkMistakes damages a golden case in several ways, each named after the stage that must see it.
func checkMistakes[C goldenCase](t *testing.T, m *Model, at int, damages map[string]func(C)) {
	t.Helper()
	for stage, damage := range damages {
		golden := vectors[C](t, m.bundle)[at]
		damage(golden)
		report, err := golden.replay(t.Context(), m)
		failed := func(s StageReport) bool { return s.Name == stage && !s.OK }
		if err != nil || !slices.ContainsFunc(report.Stages, failed) {
			t.Errorf("%s: the mistake is not seen: %v, %v", stage, report.Stages, err)
		}
	}
}

func TestVerify(t *testing.T) {
	report, err := Verify(t.Context(), bundle(t), Options{Library: orttest.Library(t)})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range report.Cases {
		for _, s := range c.Stages {
			t.Logf("%-36s %-28s %.1e of %.0e", c.Name, s.Name, s.MaxDiff, s.Tolerance)
			if !s.OK {
				t.Errorf("%s: %s differs by %g > %g", c.Name, s.Name, s.MaxDiff, s.Tolerance)
			}
		}
	}
	if !report.OK() {
		t.Error("report is not OK")
	}
}
