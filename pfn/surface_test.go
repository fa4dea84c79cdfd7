package pfn

import (
	"slices"
	"testing"

	"github.com/pfnamp/pfnamp/distr"
	"github.com/pfnamp/pfnamp/internal/orttest"
)

// surfaces are those of results.
func surfaces(rows []Result) []*distr.Surface {
	all := make([]*distr.Surface, len(rows))
	for i, r := range rows {
		all[i] = r.Own.(*distr.Surface)
	}
	return all
}

func TestResultsWithSurface(t *testing.T) {
	m, query := openBundle(t, surfaceBundle), synthetic(2, 150, 3).X
	c := fit(t, m, synthetic(1, 40, 3))
	rows := results(t, c, query)
	found, given := surfaces(rows), m.Bundle().Manifest.Surface
	for i, d := range predict(t, c, query) {
		s := found[i]
		if !sameBits(d, rows[i].PPD.(*distr.Quantiles)) {
			t.Fatalf("row %d: the PPD is not that of Predict", i)
		}
		if !slices.Equal(s.Levels, given.Levels) ||
			!slices.Equal(s.PosteriorLevels, given.PosteriorLevels) || s.Scale != 0.8 {
			t.Fatalf("row %d: levels %v, %v, scale %g", i, s.Levels, s.PosteriorLevels, s.Scale)
		}
		checkOrder(t, s)
	}
	if sameSurface(found[0], found[1]) {
		t.Error("the surface does not depend on the row")
	}
	for _, i := range []int{0, 64, 149} {
		if alone := surfaces(results(t, c, subset(query, []int{i}))); !sameSurface(alone[0], found[i]) {
			t.Errorf("row %d differs when it is alone", i)
		}
	}
}

// Without own, or without the output for it, there is no posterior.
func TestResultsWithoutOwn(t *testing.T) {
	query := synthetic(2, 3, 3).X
	rows, err := fit(t, openBundle(t, surfaceBundle), synthetic(1, 40, 3)).Results(t.Context(), query,
		false)
	if err != nil || rows[2].Own != nil || rows[2].PPD == nil || rows[2].Classes != nil {
		t.Errorf("%+v, %v", rows, err)
	}
	c := fit(t, openClassifier(t, Options{}), classTable(1, 20, 3, 2))
	row := results(t, c, query)[1]
	if row.Own != nil || row.PPD != nil || len(row.Classes) != 2 || c.Model().Own() {
		t.Errorf("a classifier without a posterior: %+v", row)
	}
}

func sameSurface(a, b *distr.Surface) bool {
	return slices.Equal(slices.Concat(a.Quantiles...), slices.Concat(b.Quantiles...)) &&
		slices.Equal(a.Mean, b.Mean)
}

func TestSurfaceState(t *testing.T) {
	m := openBundle(t, surfaceBundle)
	constant, flat := synthetic(2, 30, 3), synthetic(3, 25, 3)
	for i := range constant.Y {
		constant.Y[i] = 2
	}
	clear(flat.X.Data)
	query := synthetic(2, 7, 3).X
	for name, train := range map[string]Training{
		"varied": synthetic(1, 40, 3), "constant": constant, "flat": flat,
	} {
		c := fit(t, m, train)
		file := saved(t, c, "")
		again, err := restore(m, file)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		want, got := surfaces(results(t, c, query)), surfaces(results(t, again, query))
		if !sameSurface(want[6], got[6]) {
			t.Errorf("%s: the restored surface differs", name)
		}
	}
}

func TestVerifySurface(t *testing.T) {
	m := openBundle(t, surfaceBundle)
	b := m.Bundle()
	report, err := Verify(t.Context(), b, Options{Library: orttest.Library(t)})
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	for _, p := range report.Cases[0].Parts {
		seen[p.Name] = true
	}
	if !report.OK() || !seen["network: posterior"] || !seen["result: posterior"] {
		t.Errorf("%+v", report.Cases[0])
	}
	checkMistakes(t, m, 0, map[string]func(*goldenCase){
		"network: posterior": func(c *goldenCase) { c.Stages.Surface[1][0][3][0] -= 1e-2 },
		"result: posterior":  func(c *goldenCase) { c.Expect.Surface[1][0][0] -= 1e-2 },
	})
}
