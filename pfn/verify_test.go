package pfn

import (
	"testing"

	"github.com/pfnamp/pfnamp/internal/orttest"
)

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
