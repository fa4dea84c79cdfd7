package pfn

import (
	"bytes"
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/pfnamp/pfnamp/internal/orttest"
	"github.com/pfnamp/pfnamp/models"
)

func openSurface(t testing.TB) *Model {
	t.Helper()
	m, err := Open(surfaceBundle(t), Options{Library: orttest.Library(t), Refit: true})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { m.Close() })
	return m
}

func TestPredictSurface(t *testing.T) {
	m, query := openSurface(t), synthetic(2, 150, 3).X
	c := fit(t, m, synthetic(1, 40, 3))
	ppds, surfaces, err := c.PredictSurface(t.Context(), query)
	if err != nil {
		t.Fatal(err)
	}
	for i, d := range predict(t, c, query) {
		s := surfaces[i]
		if !sameBits(d, ppds[i].(*Quantiles)) {
			t.Fatalf("row %d: the PPD is not that of Predict", i)
		}
		if !slices.Equal(s.Levels, surfaceLevels) ||
			!slices.Equal(s.PosteriorLevels, surfacePosterior) {
			t.Fatalf("row %d: levels %v, %v", i, s.Levels, s.PosteriorLevels)
		}
		for j := range s.Mean { // the offsets are 0, 0.5 and 1 in order, and 0.25
			low, middle, high := s.Quantiles[0][j], s.Quantiles[1][j], s.Quantiles[2][j]
			if math.Abs((middle-low)/d.Scale-0.5) > 1e-5 ||
				math.Abs((high-low)/d.Scale-1) > 1e-5 ||
				math.Abs((s.Mean[j]-low)/d.Scale-0.25) > 1e-5 {
				t.Fatalf("row %d: %g, %g, %g, mean %g", i, low, middle, high, s.Mean[j])
			}
		}
	}
	for _, i := range []int{0, 64, 149} {
		_, alone, err := c.PredictSurface(t.Context(), subset(query, []int{i}))
		if err != nil || !sameSurface(alone[0], surfaces[i]) {
			t.Errorf("row %d differs when it is alone: %v", i, err)
		}
	}
}

func sameSurface(a, b *Surface) bool {
	return slices.Equal(slices.Concat(a.Quantiles...), slices.Concat(b.Quantiles...)) &&
		slices.Equal(a.Mean, b.Mean)
}

func TestSurfaceState(t *testing.T) {
	m := openSurface(t)
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
		_, want, err := c.PredictSurface(t.Context(), query)
		_, got, err2 := again.PredictSurface(t.Context(), query)
		if err != nil || err2 != nil || !sameSurface(want[6], got[6]) {
			t.Errorf("%s: the restored surface differs: %v, %v", name, err, err2)
		}
	}
	file := saved(t, fit(t, m, constant), "")
	for old, changed := range map[string]string{
		`"Levels":[0.1`: `"Levels":[0.2`, `"Mean":[2,`: `"Mean":[3,`,
		`"Quantiles":[[2,`: `"Quantiles":[[3,`, `"Quantiles":[[2,2`: `"Quantiles":[[2 2`,
		`"Mean":[2,2`: `"Mean":[222`,
	} {
		var state *StateError
		broken := bytes.Replace(file, []byte(old), []byte(changed), 1)
		if bytes.Equal(broken, file) {
			t.Errorf("%s is not in the state", old)
		}
		if _, err := restore(m, reseal(broken)); !errors.As(err, &state) {
			t.Errorf("%s: error %v", changed, err)
		}
	}
}

func TestVerifySurface(t *testing.T) {
	b := surfaceBundle(t)
	report, err := Verify(t.Context(), b, Options{Library: orttest.Library(t)})
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	for _, s := range report.Cases[0].Stages {
		seen[s.Name] = true
	}
	if !report.OK() || !seen["network: surface"] || !seen["result: surface"] ||
		!seen["post-processing: surface"] {
		t.Errorf("%+v", report.Cases[0])
	}
	m := openSurface(t)
	checkMistakes(t, m, 0, map[string]func(*quantileCase){
		"network: surface":         func(c *quantileCase) { c.Stages.Surfaces[1][0][3][0] -= 1e-2 },
		"result: surface":          func(c *quantileCase) { c.Expect.Surface[1][0][0] -= 1e-2 },
		"post-processing: surface": func(c *quantileCase) { c.Expect.Surface[1][3][0] -= 1e-2 },
	})
	for want, damage := range map[string]func(*quantileCase){
		"stages.surface has":       func(c *quantileCase) { c.Stages.Surfaces[0][0][3] = nil },
		"expect.surface has":       func(c *quantileCase) { c.Expect.Surface[0] = nil },
		"expect.surface is missin": func(c *quantileCase) { c.Expect.Surface = nil },
	} {
		golden := vectors[*quantileCase](t, b)[0]
		damage(golden)
		if err := golden.check(&b.Manifest); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v does not contain %q", err, want)
		}
	}
}

func TestPredictSurfaceWithoutOutput(t *testing.T) {
	c := &Context{model: &Model{bundle: &models.Bundle{
		Manifest: models.Manifest{Name: "plain", Version: "1"}}}}
	_, _, err := c.PredictSurface(t.Context(), Matrix{})
	none, ok := errors.AsType[*NoDirectError](err)
	if !ok || !strings.Contains(err.Error(), "plain 1 has no surface") || none.Hint() == "" {
		t.Errorf("error %v", err)
	}
}
