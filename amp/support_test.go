package amp

import (
	"math"
	"testing"

	"pgregory.net/rapid"
)

// supports are drawn for properties.
func someSupport(t *rapid.T) Support {
	s := Support{Whole: rapid.Bool().Draw(t, "whole"), HasMin: rapid.Bool().Draw(t, "has min"),
		HasMax: rapid.Bool().Draw(t, "has max")}
	lo := rapid.IntRange(-4, 2).Draw(t, "min")
	hi := rapid.IntRange(lo+1, lo+6).Draw(t, "max")
	if s.HasMin {
		s.Min = float64(lo)
	}
	if s.HasMax {
		s.Max = float64(hi)
	}
	return s
}

// The distribution of T(Y) is that of a sample whose members are moved by T.
func TestSupportIsTheLawOfMovedLabels(t *testing.T) {
	const n = 20001
	rapid.Check(t, func(t *rapid.T) {
		s := someSupport(t)
		if s.twoValued() {
			t.Skip("has the mean, not the quantiles")
		}
		law := normalPPD{rapid.Float64Range(-3, 3).Draw(t, "mean"),
			rapid.Float64Range(0.1, 3).Draw(t, "sd")}
		d := s.PPD(law)
		mean := 0.0
		sample := make([]float64, n)
		for i := range sample {
			p := (float64(i) + 0.5) / n
			sample[i] = s.Value(law.Quantile(p))
			mean += sample[i] / n
			if q := d.Quantile(p); q != sample[i] || !s.Has(q) {
				t.Fatalf("%v: quantile %v is %v, want %v", s, p, q, sample[i])
			}
		}
		at := rapid.Float64Range(-5, 8).Draw(t, "t")
		below := 0.0
		for _, v := range sample {
			if v <= at {
				below += 1.0 / n
			}
		}
		if got := d.CDF(at); math.Abs(got-below) > 2.0/n {
			t.Fatalf("%v: P(Y <= %v) is %v, want %v", s, at, got, below)
		}
		// Rounding is left out of the mean.
		if got := d.Mean(); math.Abs(got-mean) > 0.51 || !s.Whole && math.Abs(got-mean) > 0.01 {
			t.Fatalf("%v: mean %v, want %v", s, got, mean)
		}
		if got := d.Mean(); s.HasMin && got < s.Min || s.HasMax && got > s.Max {
			t.Fatalf("%v: mean %v is not possible", s, got)
		}
	})
}

// The CRPS is that of its definition, ∫ (F(t) - 1{y <= t})² dt.
func TestSupportCRPS(t *testing.T) {
	for _, s := range []Support{{Whole: true, HasMin: true}, {HasMin: true, HasMax: true, Max: 1},
		{Whole: true, HasMin: true, HasMax: true, Max: 1}} {
		for _, law := range []normalPPD{{0.4, 0.8}, {2, 3}, {-1, 0.5}} {
			d := s.PPD(law).(interface {
				PPD
				CRPS(y float64) float64
			})
			for _, y := range []float64{0, 1} {
				want, step := 0.0, 1e-3
				for x := -20.0; x < 20; x += step {
					f := d.CDF(x)
					if y <= x {
						f--
					}
					want += f * f * step
				}
				if got := d.CRPS(y); math.Abs(got-want) > 0.01 {
					t.Errorf("%v of %v: CRPS(%v) = %.4f, want %.4f", s, law, y, got, want)
				}
			}
		}
	}
}

// A posterior stays coherent with its distribution: τ u <= P(Q_τ(u)) and P(y < Q_τ(u)) <= u +
// τ(1-u) where they were so before, and events and quantiles of the posterior are of one and the
// same law.
func TestSupportKeepsCoherence(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := someSupport(t)
		if s.twoValued() {
			t.Skip("see TestTwoPossibleLabels")
		}
		surface := normalSurface(rapid.Float64Range(-3, 3).Draw(t, "place"),
			rapid.Float64Range(0.1, 2).Draw(t, "noise"), rapid.Float64Range(0.1, 2).Draw(t, "doubt"))
		p := s.Predictions([]Prediction{{PPD: surface.Label, Own: surface}})[0]
		u := rapid.Float64Range(0.05, 0.95).Draw(t, "u")
		tau := rapid.Float64Range(0.06, 0.94).Draw(t, "tau")
		q := p.Own.Of(Quantile{u}).Quantile(tau)
		const slack = 0.02 // of the interpolation between levels
		raw := surface.Of(Quantile{u}).Quantile(tau)
		if got := p.PPD.CDF(q); got < surface.Label.CDF(raw)-1e-9 || got < tau*u-slack {
			t.Fatalf("%v: P(%v) = %v is below τu = %v", s, q, got, tau*u)
		}
		if got := p.PPD.CDF(math.Nextafter(q, -100)); got > u+tau*(1-u)+slack {
			t.Fatalf("%v: P(y < %v) = %v is above %v", s, q, got, u+tau*(1-u))
		}
		at := float64(rapid.IntRange(-5, 8).Draw(t, "t"))
		own := p.Own.Of(AtMost(at)).Quantile(tau)
		other := 1 - p.Own.Of(Above(at)).Quantile(1-tau)
		if math.Abs(own-other) > 1e-9 || own < 0 || own > 1 {
			t.Fatalf("%v: P(y <= %v) is %v, and 1 - P(y > %v) is %v", s, at, own, at, other)
		}
		if mean := p.Own.Of(Mean{}).Quantile(tau); mean != s.clamp(mean) {
			t.Fatalf("%v: mean %v", s, mean)
		}
	})
}

// Of 0 and 1 the mean, the events and the quantiles are of one probability, in the distribution and
// in the posterior.
func TestTwoPossibleLabels(t *testing.T) {
	s := Support{Whole: true, HasMin: true, HasMax: true, Max: 1}
	rapid.Check(t, func(t *rapid.T) {
		surface := normalSurface(rapid.Float64Range(-0.2, 1.2).Draw(t, "place"),
			rapid.Float64Range(0.1, 1).Draw(t, "noise"), rapid.Float64Range(0.01, 0.5).Draw(t, "doubt"))
		p := s.Predictions([]Prediction{{PPD: surface.Label, Own: surface}})[0]
		chance := p.PPD.Mean()
		near := func(got, want float64) {
			t.Helper()
			if math.Abs(got-want) > 1e-12 {
				t.Fatalf("%v, want %v", got, want)
			}
		}
		near(Above(0).Point(p.PPD), chance)
		near(AtMost(0.5).Point(p.PPD), 1-chance)
		near(Probability{-1, 1}.Point(p.PPD), 1)
		near(AtMost(-0.5).Point(p.PPD), 0)
		near(p.PPD.(twoPoint).CRPS(1), (1-chance)*(1-chance))
		tau := rapid.Float64Range(0.05, 0.95).Draw(t, "tau")
		own := s.clamp(surface.Of(Mean{}).Quantile(tau))
		near(p.Own.Of(Mean{}).Quantile(tau), own)
		near(p.Own.Of(Above(0)).Quantile(tau), own)
		near(p.Own.Of(AtMost(0)).Quantile(1-tau), 1-own)
		near(p.Own.Of(Above(1)).Quantile(tau), 0)
		u := rapid.Float64Range(0.05, 0.95).Draw(t, "u")
		for _, q := range []struct{ quantile, chance float64 }{{p.PPD.Quantile(u), chance},
			{p.Own.Of(Quantile{u}).Quantile(tau), own}} {
			if want := u > 1-q.chance; (q.quantile == 1) != want {
				t.Fatalf("quantile %v of probability %v is %v", u, q.chance, q.quantile)
			}
		}
	})
}

// The posterior of every functional of 0 and 1 is that of the functional of a label whose
// probability is drawn from the posterior of the mean.
func TestEveryFormOfTwoPossibleLabels(t *testing.T) {
	s := Support{Whole: true, HasMin: true, HasMax: true, Max: 1}
	surface := normalSurface(0.08, 0.2, 0.03)
	label := func(tau float64) PPD {
		return twoPoint{supportedPPD{s, surface.Label}, s.chance(surface.Of(Mean{}).Quantile(tau))}
	}
	for _, text := range []string{"mean", "median", "q0.9", "es0.9", "p>0", "p<=0", "p(-1,0]",
		"p(0,1]"} {
		f, err := ParseFunctional(text)
		if err != nil {
			t.Fatal(err)
		}
		falls := f.Point(label(0.94)) < f.Point(label(0.06))
		for _, tau := range []float64{0.06, 0.3, 0.5, 0.94} {
			at := tau
			if falls {
				at = 1 - tau
			}
			got, want := (supportedOwn{s, surface}).Of(f).Quantile(tau), f.Point(label(at))
			if math.Abs(got-want) > 0.02 {
				t.Errorf("%v at %v: %v, want %v", f, tau, got, want)
			}
		}
	}
}

// Texts of supports are read as they are written, and others are refused.
func TestParseSupport(t *testing.T) {
	for text, want := range map[string]Support{
		"any":       {},
		"whole":     {Whole: true},
		"whole,0:":  {Whole: true, HasMin: true},
		"0:1":       {HasMin: true, HasMax: true, Max: 1},
		":2.5":      {HasMax: true, Max: 2.5},
		"whole,1:5": {Whole: true, HasMin: true, HasMax: true, Min: 1, Max: 5},
	} {
		got, err := ParseSupport(text)
		if err != nil || got != want || got.String() != text {
			t.Errorf("%q: %+v, %q, %v", text, got, got, err)
		}
	}
	for _, text := range []string{"", "counts", "1:1", "2:1", ":", "0:x", "nan:", "whole,whole",
		"0:1,0:1", "whole,0.5:", "0:inf", "any,whole"} {
		if got, err := ParseSupport(text); err == nil {
			t.Errorf("%q is read as %+v", text, got)
		}
	}
}

// An interval loses no possible label, and has none but possible ends.
func TestSupportInterval(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := someSupport(t)
		lo := rapid.Float64Range(-6, 9).Draw(t, "lo")
		hi := lo + rapid.Float64Range(0, 4).Draw(t, "width")
		low, high := s.Interval(lo, hi)
		if low > high || !s.Has(low) || !s.Has(high) {
			t.Fatalf("%v: %v to %v of %v to %v", s, low, high, lo, hi)
		}
		y := s.Value(rapid.Float64Range(-6, 9).Draw(t, "y"))
		if lo <= y && y <= hi && (y < low || y > high) {
			t.Fatalf("%v: %v was in %v to %v and is not in %v to %v", s, y, lo, hi, low, high)
		}
	})
}
