package pfn

import (
	"testing"

	"github.com/pfnamp/pfnamp/internal/must"
)

// checkMistakes damages the first golden case in several ways, each named after the part that must
// see it.
func checkMistakes(t *testing.T, m *Model, damages map[string]func(*goldenCase)) {
	t.Helper()
	for part, damage := range damages {
		cases, err := readGolden(m.bundle.Golden())
		must.Succeed(t, err)
		damage(&cases[0])
		report, err := m.replay(t.Context(), &cases[0], 0)
		if err != nil || report.OK() || report.Worst().Name != part {
			t.Errorf("%s: the mistake is not seen: %v, %v", part, report.Parts, err)
		}
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
		_, err := readGolden([]byte(golden))
		must.Fail(t, golden, err, want)
	}
}
