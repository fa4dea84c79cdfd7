package amp

import (
	"fmt"
	"math"
	"strconv"
)

// Functional is a summary θ(P) of a distribution on the label's scale: [Mean], [Quantile] or
// [Probability]. The posterior of θ at a query row is what AMP computes.
type Functional interface {
	// String returns the canonical name, the name of the output column: mean, q0.9, p>150.
	String() string
	// Point returns θ(P_0), the functional of the row's PPD itself.
	Point(ppd PPD) float64

	// check reports parameters out of range.
	check() error
}

// Mean is θ(P) = ∫ y dP(y).
type Mean struct{}

// Quantile is θ(P) = P^-1(Level) = inf{y: P(y) >= Level}.
type Quantile struct {
	Level float64 // in (0, 1)
}

// Probability is θ(P) = P(Lo, Hi], the probability of the half-open interval. Lo may be -Inf and
// Hi may be Inf, not both.
type Probability struct {
	Lo, Hi float64
}

// AtMost is the probability of (-∞, t].
func AtMost(t float64) Probability { return Probability{math.Inf(-1), t} }

// Above is the probability of (t, ∞).
func Above(t float64) Probability { return Probability{t, math.Inf(1)} }

// String returns "mean".
func (Mean) String() string { return "mean" }

// Point returns the mean of ppd.
func (Mean) Point(ppd PPD) float64 { return ppd.Mean() }

func (Mean) check() error { return nil }

// String returns the level after a q: q0.9.
func (q Quantile) String() string { return "q" + decimal(q.Level) }

// Point returns the quantile of ppd.
func (q Quantile) Point(ppd PPD) float64 { return ppd.Quantile(q.Level) }

func (q Quantile) check() error {
	if !(q.Level > 0 && q.Level < 1) {
		return fmt.Errorf("amp: quantile level %v is not strictly between 0 and 1", q.Level)
	}
	return nil
}

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

// levels returns P_0(Lo) and P_0(Hi), limits at infinity included.
func (p Probability) levels(ppd PPD) (lo, hi float64) {
	hi = 1
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
		return fmt.Errorf("amp: (%v, %v] is not an event with Lo < Hi and a finite end", p.Lo, p.Hi)
	}
	return nil
}

// decimal is the shortest text that reads back as v; minus zero is written 0.
func decimal(v float64) string { return strconv.FormatFloat(v+0, 'g', -1, 64) }
