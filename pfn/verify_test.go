package pfn

import (
	"strings"
	"testing"

	"github.com/pfnamp/pfnamp/internal/orttest"
	"github.com/pfnamp/pfnamp/models"
)

// vectors are the golden cases of a bundle.
func vectors(t *testing.T, b *models.Bundle) []goldenCase {
	t.Helper()
	cases, err := readGolden(b.Golden())
	if err != nil {
		t.Fatal(err)
	}
	return cases
}

// checkMistakes damages a golden case in several ways, each named after the part that must see it.
func checkMistakes(t *testing.T, m *Model, at int, damages map[string]func(*goldenCase)) {
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

func TestDamagedGolden(t *testing.T) {
	for golden, want := range map[string]string{
		"{":                                 "invalid from byte 1",
		`{"format":2,"cases":[]}`:           "format is 2",
		`{"format":1,"cases":[]}`:           "no cases",
		`{"format":1,"cases":[{"name":1}]}`: `"cases.name" is a number, not a text`,
		`{"format":1,"cases":[{}]}`:         "must not be empty",
	} {
		if _, err := readGolden([]byte(golden)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %q does not contain %q", golden, err, want)
		}
	}
}

// A list that is missing or too short is a mistake of its part.
func TestGoldenShapes(t *testing.T) {
	checkMistakes(t, openBundle(t, tinyBundle), 0, map[string]func(*goldenCase){
		"network":           func(c *goldenCase) { c.Stages.Quantiles = nil },
		"result: knots":     func(c *goldenCase) { c.Expect.Knots[0] = nil },
		"result: tails":     func(c *goldenCase) { c.Expect.BetaLeft = nil },
		"result: mean":      func(c *goldenCase) { c.Expect.Mean = nil },
		"result: quantiles": func(c *goldenCase) { c.Expect.Quantiles = nil },
	})
	checkMistakes(t, openFolder(t, tinyTabPFN, Options{NoFingerprint: true}), 0,
		map[string]func(*goldenCase){
			"network":               func(c *goldenCase) { c.Members[1].Logits = nil },
			"result: probabilities": func(c *goldenCase) { c.Expect.Probabilities = nil },
			"result: quantiles":     func(c *goldenCase) { c.Expect.Quantiles[0] = nil },
		})
}
