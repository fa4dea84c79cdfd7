package amp

import (
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/pfnamp/pfnamp/distr"
)

// surfaceLevels are those of the tests: as dense as those of a bundle.
var (
	surfaceLevels   = []float64{.02, .05, .1, .2, .3, .4, .5, .6, .7, .8, .9, .95, .98}
	posteriorLevels = []float64{.005, .01, .025, .05, .1, .2, .3, .4, .5, .6, .7, .8, .9, .95, .975,
		.99, .995}
)

// normalSurface is what is known of N(m, sd²) with m ~ N(mu, spread²): Q(u) ~ N(mu + sd z(u),
// spread²), the mean ~ N(mu, spread²), and the label N(mu, sd² + spread²).
func normalSurface(mu, sd, spread float64) *Surface {
	s := &Surface{Label: normalPPD{mu, math.Hypot(sd, spread)},
		Surface: distr.Surface{Levels: surfaceLevels, PosteriorLevels: posteriorLevels}}
	for _, u := range surfaceLevels {
		var row []float64
		for _, tau := range posteriorLevels {
			row = append(row, mu+sd*normalQuantile(u)+spread*normalQuantile(tau))
		}
		s.Quantiles = append(s.Quantiles, row)
	}
	for _, tau := range posteriorLevels {
		s.Mean = append(s.Mean, mu+spread*normalQuantile(tau))
	}
	return s
}

// A surface of a normal model gives the posteriors that are known in closed form, also beyond the
// outermost levels and for an event between two ends, whose ranks are common in this model.
func TestSurfaceOfANormalModel(t *testing.T) {
	const mu, sd, spread = 3.0, 2.0, 0.7
	s := normalSurface(mu, sd, spread)
	phi := normalPPD{0, 1}.CDF
	for _, tau := range []float64{0.05, 0.5, 0.9} {
		z := normalQuantile(tau)
		for _, c := range []struct {
			f       Functional
			want    float64
			inexact float64
		}{
			{Mean{}, mu + spread*z, 1e-12},
			{Quantile{0.5}, mu + spread*z, 1e-12},
			{Quantile{0.85}, mu + sd*normalQuantile(0.85) + spread*z, 1e-12},
			{Quantile{0.001}, mu + spread*z + sd*normalQuantile(0.02) + // so much of the label's tail
				min(1, 2*(1-tau))*math.Hypot(sd, spread)*(normalQuantile(0.001)-normalQuantile(0.02)), 1e-9},
			{Quantile{0.999}, mu + spread*z + sd*normalQuantile(0.98) +
				min(1, 2*tau)*math.Hypot(sd, spread)*(normalQuantile(0.999)-normalQuantile(0.98)), 1e-9},
			{AtMost(4), phi((4 - mu + spread*z) / sd), 1e-12},
			{Above(4), 1 - phi((4-mu-spread*z)/sd), 1e-12},
			{Above(100), 0, 1e-9},
		} {
			if got := s.Of(c.f).Quantile(tau); math.Abs(got-c.want) > c.inexact {
				t.Errorf("%v at %v: %v, want %v", c.f, tau, got, c.want)
			}
		}
	}
	wider := *s
	wider.Quantiles = nil
	for _, row := range s.Quantiles {
		wide := slices.Clone(row)
		for j := range wide {
			wide[j] += 2 * (row[j] - row[len(row)/2])
		}
		wider.Quantiles = append(wider.Quantiles, wide)
	}
	if wider.Inconsistency() < 0.05 {
		t.Errorf("a surface three times too wide differs by %g only", wider.Inconsistency())
	}
	if worst := s.Inconsistency(); worst > 0.01 {
		t.Errorf("a consistent surface differs from its label by %v", worst)
	}
	moved := *s
	moved.Label = normalPPD{mu + 1, math.Hypot(sd, spread)}
	if worst := moved.Inconsistency(); math.Abs(worst-(2*phi(0.5/math.Hypot(sd, spread))-1)) > 0.02 {
		t.Errorf("a label that is moved by 1 differs by %v", worst)
	}
	between := s.Of(Probability{2, 4})
	var truth []float64 // P(2 < y <= 4) at equally likely m
	for i := range 2001 {
		m := mu + spread*normalQuantile((float64(i)+0.5)/2001)
		truth = append(truth, phi((4-m)/sd)-phi((2-m)/sd))
	}
	slices.Sort(truth)
	for _, tau := range []float64{0.05, 0.5, 0.95} {
		if got, want := between.Quantile(tau), truth[int(tau*2001)]; math.Abs(got-want) > 0.003 {
			t.Errorf("(2, 4] at %v: %v, want %v", tau, got, want)
		}
	}
}

// drawnSurface is any surface that ascends both ways, ties included, with any label.
func drawnSurface(t *rapid.T) *Surface {
	step := rapid.OneOf(rapid.Just(0.0), rapid.Float64Range(0, 2))
	s := &Surface{Label: normalPPD{rapid.Float64Range(-3, 3).Draw(t, "mu"),
		rapid.Float64Range(0.1, 3).Draw(t, "sd")},
		Surface: distr.Surface{Levels: surfaceLevels, PosteriorLevels: posteriorLevels,
			Scale: rapid.SampledFrom([]float64{0, 0.7, 1, 1.3}).Draw(t, "scale")}}
	s.Quantiles = make([][]float64, len(s.Levels))
	for k := range s.Quantiles {
		s.Quantiles[k] = make([]float64, len(s.PosteriorLevels))
		for j := range s.PosteriorLevels {
			low := -4.0
			if k > 0 {
				low = s.Quantiles[k-1][j]
			}
			if j > 0 {
				low = math.Max(low, s.Quantiles[k][j-1])
			}
			s.Quantiles[k][j] = low + step.Draw(t, "step")
		}
	}
	last := 0.0
	for range s.PosteriorLevels {
		last += step.Draw(t, "mean")
		s.Mean = append(s.Mean, last)
	}
	return s
}

// The laws of every surface: posterior quantiles ascend in τ; Q(u) ascends in u and P(y <= t) in t;
// events are dual to quantiles and to their complements; intervals contain their point; and all
// follow affine changes of the label.
func TestSurfaceObeysTheLaws(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := drawnSurface(t)
		at := rapid.Float64Range(-6, 12).Draw(t, "t")
		u := rapid.Float64Range(0.001, 0.999).Draw(t, "u")
		low := rapid.Float64Range(0.001, 0.5).Draw(t, "low")
		high := rapid.Float64Range(0.5, 0.999).Draw(t, "high")
		for _, f := range []Functional{Mean{}, Quantile{u}, AtMost(at), Above(at),
			Probability{at, at + 1}} {
			m := s.Of(f)
			a, b := m.Quantile(low), m.Quantile(high)
			e := directSummary{Spec{Functional: f, Level: high - low}}.Estimate(Prediction{PPD: s.Label,
				Own: s})
			if !(a <= b) || !(e.Lo <= e.Point && e.Point <= e.Hi) {
				t.Fatalf("%v: quantiles %v and %v, estimate %+v", f, a, b, e)
			}
			if _, event := f.(Probability); event && !(a >= 0 && b <= 1) {
				t.Fatalf("%v is %v to %v", f, a, b)
			}
		}
		if q, r := s.Of(Quantile{u}).Quantile(low), s.Of(Quantile{(u + 1) / 2}).Quantile(low); q > r {
			t.Fatalf("Q(%v) = %v above Q(%v) = %v", u, q, (u+1)/2, r)
		}
		below, above := s.Of(AtMost(at)), s.Of(Above(at))
		if p, q := below.Quantile(low), above.Quantile(1-low); math.Abs(p+q-1) > 1e-9 {
			t.Fatalf("P(y <= t) %v and P(y > t) %v", p, q)
		}
		// {Q(u) <= t} = {F(t) >= u}: where Q's quantile of level 1-τ lies below t, F's of level τ
		// lies above u.
		q, f := s.Of(Quantile{u}).Quantile(1-low), below.Quantile(low)
		if q < at-1e-6 && f < u-1e-6 || q > at+1e-6 && f > u+1e-6 {
			t.Fatalf("Q(%v) is %v and F(%v) is %v", u, q, at, f)
		}
		scale, shift := rapid.Float64Range(0.1, 9).Draw(t, "a"), rapid.Float64Range(-9, 9).Draw(t, "b")
		moved := affine(s, scale, shift)
		for _, f := range [][2]Functional{{Mean{}, Mean{}}, {Quantile{u}, Quantile{u}}} {
			want := shift + scale*s.Of(f[0]).Quantile(low)
			if got := moved.Of(f[1]).Quantile(low); math.Abs(got-want) > 1e-6 {
				t.Fatalf("%v is %v after an affine change, want %v", f[0], got, want)
			}
		}
		got, want := moved.Of(AtMost(shift+scale*at)).Quantile(low), below.Quantile(low)
		if math.Abs(got-want) > 1e-3 &&
			math.Abs(got-want) > 0.2*slopeAt(s, at) {
			t.Fatalf("P(y <= t) is %v after an affine change, want %v", got, want)
		}
	})
}

// slopeAt bounds how much P(y <= t) may move with the rounding of t: all where a curve is flat.
func slopeAt(s *Surface, t float64) float64 {
	m := s.Of(AtMost(t))
	near := s.Of(AtMost(t + 1e-9))
	back := s.Of(AtMost(t - 1e-9))
	worst := 0.0
	for _, tau := range []float64{0.001, 0.1, 0.3, 0.5} {
		worst = math.Max(worst, math.Max(near.Quantile(tau)-m.Quantile(tau),
			m.Quantile(tau)-back.Quantile(tau)))
	}
	if worst > 1e-6 {
		return math.Inf(1)
	}
	return worst
}

// affine is the surface of scale y + shift.
func affine(s *Surface, scale, shift float64) *Surface {
	label := s.Label.(normalPPD)
	moved := *s
	moved.Label = normalPPD{shift + scale*label.mu, scale * label.sd}
	change := func(row []float64) []float64 {
		out := make([]float64, len(row))
		for i, v := range row {
			out[i] = shift + scale*v
		}
		return out
	}
	moved.Mean, moved.Quantiles = change(s.Mean), nil
	for _, row := range s.Quantiles {
		moved.Quantiles = append(moved.Quantiles, change(row))
	}
	return &moved
}

// Auto answers as the model does where it has a posterior, and as chains do elsewhere.
func TestAutoFallsBack(t *testing.T) {
	ranks := &Ranks{Sampler: Sampler{Chains: 100, Seed: 1}}
	own, bare := Prediction{PPD: normalPPD{0, 1}, Own: normalSurface(0, 1, 0.3)},
		Prediction{PPD: normalPPD{0, 1}}
	auto := prepared(t, Auto{Chains{PaperPosterior, ranks}}, Spec{})
	direct, paper := prepared(t, Direct{}, Spec{}), prepared(t, Chains{PaperPosterior, ranks}, Spec{})
	for p, want := range map[Prediction]Estimate{own: direct.Estimate(own),
		bare: paper.Estimate(bare)} {
		if got := auto.Estimate(p); got.Lo != want.Lo || got.Hi != want.Hi {
			t.Errorf("%+v, want %+v", got, want)
		}
	}
	if _, err := (Auto{Chains{PaperPosterior, &Ranks{Sampler: Sampler{Chains: 1}}}}).Prepare(
		t.Context(), Shape{10, 2}, Spec{}); err == nil {
		t.Error("wrong chains are found when it is too late")
	}
}
