package joint

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/pfnamp/pfnamp"
	"github.com/pfnamp/pfnamp/amp"
	"github.com/pfnamp/pfnamp/internal/must"
)

// visits are rows of so many persons with four rows each, in two arms. Persons differ by 2 standard
// deviations of the noise.
func visits(persons int) []map[string]any {
	random := rand.New(rand.NewPCG(5, 6))
	var rows []map[string]any
	for i := range persons {
		shared := 2 * random.NormFloat64()
		for range 4 {
			x := random.NormFloat64()
			rows = append(rows, map[string]any{"x": x, "arm": []string{"a", "b"}[i%2], "person": i,
				"y": x + float64(i%2) + shared + random.NormFloat64()})
		}
	}
	return rows
}

// effectsOf are the averages of query rows by arm, and contrasts.
func effectsOf(
	t *testing.T, rows, asked []map[string]any, opt pfnamp.FitOptions, contrasts ...string,
) ([]Effect, error) {
	t.Helper()
	table, err := pfnamp.Table("visits", rows)
	must.Succeed(t, err)
	f, err := pfnamp.Fit(t.Context(), opened(t, ""), table, opt)
	must.Succeed(t, err)
	defer f.Close()
	p, err := f.Prepare(t.Context(), pfnamp.Question{Chains: 1000})
	must.Succeed(t, err)
	a, err := p.Rows(t.Context(), asked)
	must.Succeed(t, err)
	c, err := Couple(p, 0)
	if err != nil {
		return nil, err
	}
	must.Succeed(t, c.Correct(t.Context()))
	coupled, err := c.Rows(t.Context(), a, 0, a.Rows())
	must.Succeed(t, err)
	var list []Contrast
	for _, text := range contrasts {
		contrast, err := ParseContrast(text, true)
		must.Succeed(t, err)
		list = append(list, contrast)
	}
	averages := NewAverages("arm", list)
	sum := 0.0
	for i, row := range coupled {
		sum += row.Points[0]
		must.Succeed(t, averages.Add(asked[i]["arm"].(string), row))
	}
	effects, err := averages.Effects()
	if err == nil && math.Abs(effects[0].Points[0]-sum/float64(len(asked))) > 1e-9 {
		t.Errorf("the average %v is not that of points, %v", effects[0].Points[0], sum)
	}
	return effects, err
}

func width(e Effect) float64 {
	at := e.Estimate(0, 0.9, amp.EqualTailed)
	return at.Hi - at.Lo
}

// The interval of a difference of two groups is about as wide as that of least squares: 3.29
// √(1/n + 1/m) deviations. Rows of persons make it wider, by √(1 + 3ρ) with the correlation
// ρ = .8 of the rows of a person.
func TestContrastIsAsWideAsLeastSquares(t *testing.T) {
	rows := visits(40)
	noise := math.Sqrt(5) // of rows, with what persons share
	plain := pfnamp.FitOptions{Target: "y", Ignore: []string{"person"}}
	effects, err := effectsOf(t, rows, rows, plain, "b - a")
	must.Succeed(t, err)
	alone := width(effects[len(effects)-1]) / (3.29 * noise * math.Sqrt(2./80))
	if !(alone > 0.8 && alone < 1.3) {
		t.Errorf("%.2f times as wide as least squares", alone)
	}
	effects, err = effectsOf(t, rows, rows, pfnamp.FitOptions{Target: "y", Group: "person"}, "b - a")
	must.Succeed(t, err)
	whole := width(effects[len(effects)-1]) / (3.29 * noise * math.Sqrt(2./80))
	if !(whole > 1.4*alone && whole < 2.6*alone) {
		t.Errorf("with persons %.2f times as wide as least squares of rows, without %.2f", whole, alone)
	}
}

// A group of one row is known as badly as one row, and one that TRAIN lacks even less.
func TestSmallAndUnknownGroups(t *testing.T) {
	rows := visits(30)
	rows[0]["arm"] = "c"
	asked := []map[string]any{}
	for i := range 40 {
		asked = append(asked, map[string]any{"x": 0.1 * float64(i%5), "arm": []string{"a", "b", "c",
			"d"}[i%4]})
	}
	effects, err := effectsOf(t, rows, asked,
		pfnamp.FitOptions{Target: "y", Ignore: []string{"person"}}, "b - a", "c - a", "d - a")
	must.Succeed(t, err)
	n := len(effects)
	known, single, unknown := width(effects[n-3]), width(effects[n-2]), width(effects[n-1])
	if !(single > 3*known && unknown > 1.2*single) {
		t.Errorf("widths %.2f of 60 rows, %.2f of one, %.2f of none", known, single, unknown)
	}
}

// Persons that are the groups, or too few, are refused.
func TestFewClusters(t *testing.T) {
	rows := visits(4)
	for _, row := range rows {
		row["arm"] = []string{"a", "b", "c", "d"}[row["person"].(int)]
	}
	_, err := effectsOf(t, rows, rows[:8], pfnamp.FitOptions{Target: "y", Group: "person"})
	must.Fail(t, "few rows", err, "too few beside the other columns")
}
