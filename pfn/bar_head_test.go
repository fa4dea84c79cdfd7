package pfn

import (
	"math"
	"path/filepath"
	"testing"

	"github.com/pfnamp/pfnamp/distr"
	"github.com/pfnamp/pfnamp/internal/orttest"
	"github.com/pfnamp/pfnamp/models"
)

// Differences from the reference end to end, without the hash column. The network has float32
// noise of 1e-5 on its logits, which the mean of bars far out magnifies.
const (
	endToEndMean        = 1e-4 // of the mean, in deviations of the target
	endToEndProbability = 1e-5
)

// Folders of TabPFN networks of random weights: v2, and v2.5 and v3 with the pipelines of package
// 8.4.0.
var (
	tinyTabPFN   = filepath.Join("..", "testdata", "tabpfn-tiny")
	tinyTabPFN25 = filepath.Join("..", "testdata", "tabpfn25-tiny")
	tinyTabPFN3  = filepath.Join("..", "testdata", "tabpfn3-tiny")
	tinyTabPFN35 = filepath.Join("..", "testdata", "tabpfn35-tiny")
)

// openTabPFN loads the first of them until the end of the test.
func openTabPFN(t testing.TB, opt Options) *Model {
	t.Helper()
	return openFolder(t, tinyTabPFN, opt)
}

// openFolder loads a bundle until the end of the test.
func openFolder(t testing.TB, folder string, opt Options) *Model {
	t.Helper()
	b, err := models.Load(folder)
	if err != nil {
		t.Fatal(err)
	}
	opt.Library = orttest.Library(t)
	m, err := Open(b, opt)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { m.Close() })
	return m
}

func TestTabPFNEndToEnd(t *testing.T) {
	t.Run("v2", func(t *testing.T) { testTabPFNEndToEnd(t, tinyTabPFN) })
	t.Run("v2.5", func(t *testing.T) { testTabPFNEndToEnd(t, tinyTabPFN25) })
	t.Run("v3", func(t *testing.T) { testTabPFNEndToEnd(t, tinyTabPFN3) })
	t.Run("v3.5", func(t *testing.T) { testTabPFNEndToEnd(t, tinyTabPFN35) })
}

func testTabPFNEndToEnd(t *testing.T, folder string) {
	for _, g := range vectors(t, openFolder(t, folder, Options{}).bundle) {
		t.Run(g.Name, func(t *testing.T) {
			m := openFolder(t, folder, Options{Members: len(g.Members), NoFingerprint: true})
			c := fit(t, m, Training{X: cellsOf(g.XTrain), Categorical: g.Categorical, Y: g.YTrain})
			ppds, err := c.Predict(t.Context(), cellsOf(g.XTest))
			if err != nil {
				t.Fatal(err)
			}
			for row, ppd := range ppds {
				e, d := &g.Expect, ppd.(*distr.Bars)
				if gap := difference(d.Mass, e.Probabilities[row]); gap > endToEndProbability {
					t.Errorf("row %d: probabilities off by %g", row, gap)
				}
				if gap := math.Abs(d.Mean()-e.Mean[row]) / e.SD; gap > endToEndMean {
					t.Errorf("row %d: mean %g off by %g deviations", row, d.Mean(), gap)
				}
				for k, p := range e.QuantileLevels {
					if gap := math.Abs(d.CDF(e.Quantiles[row][k]) - p); gap > endToEndProbability {
						t.Errorf("row %d: quantile %g off by %g in probability", row, p, gap)
					}
				}
			}
		})
	}
}

func TestTabPFNRowsDoNotInfluenceEachOther(t *testing.T) {
	t.Run("v2", func(t *testing.T) { testRowsAlone(t, openFolder(t, tinyTabPFN, Options{})) })
	t.Run("v2.5", func(t *testing.T) { testRowsAlone(t, openFolder(t, tinyTabPFN25, Options{})) })
	t.Run("v3", func(t *testing.T) { testRowsAlone(t, openFolder(t, tinyTabPFN3, Options{})) })
	t.Run("v3.5", func(t *testing.T) { testRowsAlone(t, openFolder(t, tinyTabPFN35, Options{})) })
}

func testRowsAlone(t *testing.T, m *Model) {
	c := fit(t, m, synthetic(3, 60, 4))
	query := synthetic(4, 150, 4).X
	together, err := c.Predict(t.Context(), query)
	if err != nil {
		t.Fatal(err)
	}
	for _, i := range []int{0, 1, 63, 64, 149} {
		one := Matrix{Rows: 1, Cols: 4, Data: query.Data[i*4 : (i+1)*4]}
		alone, err := c.Predict(t.Context(), one)
		if err != nil {
			t.Fatal(err)
		}
		if a, b := alone[0].Mean(), together[i].Mean(); a != b {
			t.Errorf("row %d: mean %g alone, %g together", i, a, b)
		}
	}
}

func TestVerifyTabPFN(t *testing.T) {
	t.Run("v2", func(t *testing.T) { testVerify(t, tinyTabPFN) })
	t.Run("v2.5", func(t *testing.T) { testVerify(t, tinyTabPFN25) })
	t.Run("v3", func(t *testing.T) { testVerify(t, tinyTabPFN3) })
	t.Run("v3.5", func(t *testing.T) { testVerify(t, tinyTabPFN35) })
}

func testVerify(t *testing.T, folder string) {
	b, err := models.Load(folder)
	if err != nil {
		t.Fatal(err)
	}
	report, err := Verify(t.Context(), b, Options{Library: orttest.Library(t)})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range report.Cases {
		for _, s := range c.Parts {
			t.Logf("%s: %s: %.2g of %.2g", c.Name, s.Name, s.MaxDiff, s.Tolerance)
		}
	}
	if !report.OK() {
		t.Error("the tiny bundle does not verify")
	}
}
