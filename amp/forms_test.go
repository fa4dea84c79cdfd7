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

// Every functional of the table reads back from its own name and knows its unit. Its engines of
// both chains and its reading of a surface move with the label as the unit says.
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
		for _, kind := range []Posterior{PaperPosterior, LimitPosterior} {
			s := summarizer(t, p, Spec{Functional: f, Posterior: kind})
			summaries[string(kind)] = func(mu float64) Estimate { return s.Row(normalPPD{mu, sd}) }
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

// normalShortfall is that of a standard normal distribution, φ(Φ^-1(u))/(1-u).
func normalShortfall(u float64) float64 {
	z := normalQuantile(u)
	return math.Exp(-z*z/2) / math.Sqrt(2*math.Pi) / (1 - u)
}

func TestShortfallOfKnownDistributions(t *testing.T) {
	for _, u := range []float64{0.001, 0.1, 0.5, 0.9, 0.99, 0.999} {
		f := Shortfall{u}
		if got, want := f.Point(normalPPD{3, 2}), 3+2*normalShortfall(u); math.Abs(got-want) > 2e-3 {
			t.Errorf("%v of a normal distribution: %v, want %v", f, got, want)
		}
		if got := f.Point(uniformPPD{}); math.Abs(got-(1+u)/2) > 2e-3*(1-u) {
			t.Errorf("%v of a uniform distribution: %v", f, got)
		}
		if got := f.Point(pointPPD(1e9)); got != 1e9 {
			t.Errorf("%v of a point: %v", f, got)
		}
		if got, want := f.Point(exponentialPPD{}), 1-math.Log(1-u); math.Abs(got-want) > 2e-3 {
			t.Errorf("%v of an exponential distribution: %v, want %v", f, got, want)
		}
	}
}

// exponentialPPD is the exponential distribution of rate 1.
type exponentialPPD struct{}

func (exponentialPPD) CDF(y float64) float64      { return 1 - math.Exp(-math.Max(0, y)) }
func (exponentialPPD) Quantile(p float64) float64 { return -math.Log1p(-p) }
func (exponentialPPD) Mean() float64              { return 1 }

// Draws of the paper's posterior are the shortfalls of the forward samples, by their definition as
// an integral of the empirical quantile function.
func TestShortfallOfForwardSamples(t *testing.T) {
	p := draw(t, Sampler{Schedule: PaperSchedule{Rows: 30, Features: 2}, Chains: 50, Seed: 4})
	for _, u := range []float64{0.02, 0.5, 0.871, 0.9, 0.995} {
		s := summarizer(t, p, Spec{Functional: Shortfall{u}})
		draws := s.Draws(nil, uniformPPD{})
		for b, got := range draws {
			const steps = 20000
			want, ranks := 0.0, p.Ranks(b)
			for i := range steps {
				at := u + (1-u)*(float64(i)+0.5)/steps
				want += ranks[int(at*float64(len(ranks)))] / steps
			}
			if math.Abs(got-want) > 2e-4 {
				t.Fatalf("es%v of chain %d: %v, want %v", u, b, got, want)
			}
		}
	}
}

// Under Limit it is the integral of the chain's last quantile function.
func TestShortfallOfLastDistribution(t *testing.T) {
	p := draw(t, Sampler{Schedule: PaperSchedule{Rows: 30, Features: 2}, Chains: 20, Seed: 4})
	const u, steps = 0.8, 4000
	s := summarizer(t, p, Spec{Functional: Shortfall{u}, Posterior: LimitPosterior})
	for b, got := range s.Draws(nil, uniformPPD{}) {
		want := 0.0
		for i := range steps {
			want += p.GInverse(b, u+(1-u)*(float64(i)+0.5)/steps) / steps
		}
		if math.Abs(got-want) > 1e-3 {
			t.Fatalf("chain %d: %v, want %v", b, got, want)
		}
	}
}

// A surface whose curves differ by their place alone has shortfalls that differ by as much.
func TestShortfallOfSurface(t *testing.T) {
	s := ownSurface(10, 2, 0.5)
	own := s.Of(Shortfall{0.9})
	for _, tau := range []float64{0.1, 0.5, 0.8} {
		want := 10 + 2*normalShortfall(0.9) + 0.5*normalQuantile(tau)
		if got := own.Quantile(tau); math.Abs(got-want) > 0.03 {
			t.Errorf("quantile %v: %v, want %v", tau, got, want)
		}
	}
}

func TestBeyond(t *testing.T) {
	levels := []float64{0.05, 0.5, 0.95}
	for text, want := range map[string]float64{
		"mean": 0, "p>3": 0, "q0.95": 0, "q0.99": 0.95, "q0.01": 0.05, "es0.9": 0, "es0.97": 0.95,
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

// The shortfall of a target with bounds keeps to them, and that of a target of two values is the
// share of the larger one beyond the level.
func TestShortfallKeepsToTheSupport(t *testing.T) {
	bounded := supportedOwn{Support{Min: 0, HasMin: true, Max: 13, HasMax: true},
		ownSurface(10, 2, 0.5)}
	if got := bounded.Of(Shortfall{0.9}).Quantile(0.9); got != 13 {
		t.Errorf("a shortfall of %v above the largest value", got)
	}
	two := supportedOwn{Support{Min: 0, HasMin: true, Max: 1, HasMax: true, Whole: true},
		ownSurface(0.04, 0.2, 0.001)}
	if got := two.Of(Shortfall{0.9}).Quantile(0.5); math.Abs(got-0.4) > 0.01 {
		t.Errorf("the shortfall of 0 and 1 is %v, want 0.4", got)
	}
	if got := two.Of(Shortfall{0.97}).Quantile(0.5); got != 1 {
		t.Errorf("the shortfall of 0 and 1 is %v, want 1", got)
	}
}
