package pfn

import (
	"testing"

	"github.com/pfnamp/pfnamp/internal/orttest"
	"github.com/pfnamp/pfnamp/models"
	"github.com/pfnamp/pfnamp/pfn/internal/golden"
)

// vectors are the golden cases of a bundle.
func vectors(t *testing.T, b *models.Bundle) []golden.Case {
	t.Helper()
	cases, err := golden.Read(b.Golden(), &b.Manifest)
	if err != nil {
		t.Fatal(err)
	}
	return cases
}

// checkMistakes damages a golden case in several ways, each named after the part that must see it.
func checkMistakes(t *testing.T, m *Model, at int, damages map[string]func(*golden.Case)) {
	t.Helper()
	for part, damage := range damages {
		g := vectors(t, m.bundle)[at]
		damage(&g)
		report, err := m.replay(t.Context(), &g, 0)
		if err != nil || report.OK() || report.Worst().Name != part {
			t.Errorf("%s: the mistake is not seen: %v, %v", part, report.Parts, err)
		}
	}
}

// difference returns the largest |got - want| / max(1, |want|), +Inf if lengths differ.
func difference(got, want []float64) float64 { return golden.Difference(got, want) }

func TestVerify(t *testing.T) {
	report, err := Verify(t.Context(), bundle(t), Options{Library: orttest.Library(t)})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range report.Cases {
		for _, s := range c.Parts {
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
