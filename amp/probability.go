package amp

import (
	"context"
	"math"
	"strings"

	"github.com/pfnamp/pfnamp/distr"
)

// Probability is θ(P) = P(Lo, Hi], the probability of the half-open interval. Lo may be -Inf and
// Hi may be Inf, not both.
type Probability struct {
	Lo, Hi float64
}

// AtMost returns the probability of (-∞, t].
func AtMost(t float64) Probability { return Probability{math.Inf(-1), t} }

// Above returns the probability of (t, ∞).
func Above(t float64) Probability { return Probability{t, math.Inf(1)} }

// String returns p<=t, p>t or p(a,b].
func (p Probability) String() string {
	switch {
	case math.IsInf(p.Lo, -1):
		return "p<=" + decimal(p.Hi)
	case math.IsInf(p.Hi, 1):
		return "p>" + decimal(p.Lo)
	}
	return "p(" + decimal(p.Lo) + "," + decimal(p.Hi) + "]"
}

// Point returns the probability of the event under ppd.
func (p Probability) Point(ppd PPD) float64 {
	lo, hi := p.levels(ppd)
	return math.Max(0, hi-lo)
}

// Unit returns ProbabilityUnit.
func (Probability) Unit() Unit { return ProbabilityUnit }

// levels returns P_0(Lo) and P_0(Hi), also for infinite ends. Classes are in the order of their
// probabilities.
func (p Probability) levels(ppd PPD) (lo, hi float64) {
	if c, ok := ppd.(distr.Classes); ok {
		if k, ok := p.class(len(c)); ok {
			return c.Span(k)
		}
	}
	lo, hi = 0, 1
	if !math.IsInf(p.Lo, -1) {
		lo = ppd.CDF(p.Lo)
	}
	if !math.IsInf(p.Hi, 1) {
		hi = ppd.CDF(p.Hi)
	}
	return lo, hi
}

func (p Probability) check() error {
	bounded := !math.IsInf(p.Lo, 0) || !math.IsInf(p.Hi, 0)
	if !(p.Lo < p.Hi) || !bounded {
		return settingError("Functional", "the event (%v, %v] needs Lo < Hi and at least one finite end",
			p.Lo, p.Hi)
	}
	return nil
}

func (Probability) level() float64 { return 0.5 }

func (p Probability) read(s *Surface) Marginal {
	switch {
	case math.IsInf(p.Lo, -1):
		return marginal{quantile: func(tau float64) float64 { return s.cdf(s.curve(1-tau), p.Hi) }}
	case math.IsInf(p.Hi, 1):
		return marginal{quantile: func(tau float64) float64 { return 1 - s.cdf(s.curve(tau), p.Lo) }}
	}
	return s.between(p)
}

func (p Probability) supported(s Support, own Own) Marginal {
	event := Probability{s.latent(p.Lo), s.latent(p.Hi)}
	switch {
	case math.IsInf(event.Lo, -1) && math.IsInf(event.Hi, 1):
		return certain(1)
	case event.Lo == event.Hi:
		return certain(0)
	}
	return own.Of(event)
}

func (p Probability) twoPoint(s Support, mean Marginal) Marginal {
	of := func(m float64) float64 { return s.within(p, s.chance(m)) }
	m := mapped(mean, of).(marginal)
	if of(s.Max) < of(s.Min) {
		m.quantile = func(tau float64) float64 { return of(mean.Quantile(1 - tau)) }
	}
	return m
}

func (p Probability) engine(
	ctx context.Context, of *RankPosterior, _ *rule, kind Posterior,
) (engine, error) {
	if kind == LimitPosterior && of.law.rho == 1 {
		u, err := of.urns(ctx)
		if err != nil {
			return nil, err
		}
		u.atoms.pooled()
		return &urnEngine{p, u}, nil
	}
	s, err := of.sample(ctx, kind)
	if err != nil {
		return nil, err
	}
	s.pooled()
	return &countEngine{event: p, sample: s}, nil
}

// parseProbability reads p>150, p<=150 and p(100,150].
func parseProbability(text string) (f Functional, why string) {
	if text[0] != 'p' {
		return nil, ""
	}
	event, why := event(strings.TrimSpace(text[1:]))
	if why != "" {
		return nil, why
	}
	return event, ""
}

// event reads what follows the p of a probability; why is empty on success.
func event(s string) (p Probability, why string) {
	if inner, ok := strings.CutPrefix(s, "("); ok {
		inner, closed := strings.CutSuffix(inner, "]")
		a, b, comma := strings.Cut(inner, ",")
		lo, okLo := number(a)
		hi, okHi := number(b)
		switch {
		case !closed || !comma || !okLo || !okHi:
			return p, "an interval is written p(100,150]: two numbers, the first excluded"
		case !(lo < hi):
			return p, "the lower bound must be below the upper bound"
		}
		return Probability{lo, hi}, ""
	}
	at := AtMost
	rest, ok := strings.CutPrefix(s, "<=")
	if !ok {
		at = Above
		rest, ok = strings.CutPrefix(s, ">")
	}
	t, okT := number(rest)
	switch {
	case strings.HasPrefix(s, "<") && !strings.HasPrefix(s, "<="):
		return p, "use <= for \"at most\""
	case strings.HasPrefix(s, "="):
		return p, "probabilities of classes are always there: drop it"
	case strings.HasPrefix(s, ">="):
		return p, "use > for \"more than\""
	case !ok || !okT:
		return p, "p needs > or <= and a finite number"
	}
	return at(t), ""
}
