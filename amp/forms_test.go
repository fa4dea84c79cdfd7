package amp

import (
	"math"
	"testing"
)

// ownSurface is a surface of a normal label whose place is known up to a normal distribution.
func ownSurface(mu, sd, place float64) *Surface {
	s := &Surface{Label: normalPPD{mu, sd}}
	for i := 1; i < 100; i++ {
		s.PosteriorLevels = append(s.PosteriorLevels, float64(i)/100)
	}
	for i := 1; i < 200; i++ {
		s.Levels = append(s.Levels, float64(i)/200)
	}
	curve := func(at float64) (row []float64) {
		for _, tau := range s.PosteriorLevels {
			row = append(row, at+place*normalQuantile(tau))
		}
		return row
	}
	for _, u := range s.Levels {
		s.Quantiles = append(s.Quantiles, curve(s.Label.Quantile(u)))
	}
	s.Mean = curve(mu)
	return s
}

// Every functional of the table reads back from its own name, knows its unit, and has an engine of
// both chains and a reading of a surface that move with the label as the unit says.
func TestFormsAreWhole(t *testing.T) {
	p := draw(t, Sampler{Schedule: PaperSchedule{Rows: 60, Features: 2}, Chains: 400, Seed: 2})
	for _, form := range forms {
		for _, text := range append(form.Common, form.Texts...) {
			if f, err := ParseFunctional(text); err != nil || f.check() != nil {
				t.Errorf("%q: %v, %v", text, f, err)
			}
		}
		f, _ := ParseFunctional(form.Texts[0])
		const mu, sd, by = 150, 2, 1000
		summaries := map[string]func(mu float64) Estimate{}
		for _, kind := range []PosteriorKind{Paper, Limit} {
			s := summarizer(t, p, Spec{Functional: f, Posterior: kind})
			summaries[kind.String()] = func(mu float64) Estimate { return s.Row(normalPPD{mu, sd}) }
		}
		summaries["direct"] = func(mu float64) Estimate {
			return directSummary{Spec{Functional: f, Level: 0.9}}.Estimate(Prediction{
				PPD: normalPPD{mu, sd}, Own: ownSurface(mu, sd, 0.3)})
		}
		for name, of := range summaries {
			e, moved := of(mu), of(mu+by)
			if !(e.Lo < e.Point && e.Point < e.Hi && e.Hi < mu+10*sd) {
				t.Errorf("%v, %s: %+v", f, name, e)
			}
			switch f.Unit() {
			case TargetUnit:
				if math.Abs(moved.Lo-e.Lo-by) > 1e-6 || math.Abs(moved.Hi-e.Hi-by) > 1e-6 {
					t.Errorf("%v, %s: %+v moved becomes %+v", f, name, e, moved)
				}
			case ProbabilityUnit:
				if e.Lo < 0 || moved.Hi > 1 || moved.Lo < 0.99 {
					t.Errorf("%v, %s: %+v moved becomes %+v", f, name, e, moved)
				}
			}
		}
	}
}

func TestBeyond(t *testing.T) {
	levels := []float64{0.05, 0.5, 0.95}
	for text, want := range map[string]float64{
		"mean": 0, "p>3": 0, "q0.95": 0, "q0.99": 0.95, "q0.01": 0.05,
	} {
		f, err := ParseFunctional(text)
		if err != nil {
			t.Fatal(err)
		}
		if end, beyond := Beyond(f, levels); beyond != (want > 0) || beyond && end != want {
			t.Errorf("%s: %v, %t", text, end, beyond)
		}
	}
}
