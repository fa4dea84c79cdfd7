package amp

import (
	"context"
	"math"
	"strings"
)

// Shortfall is the expected shortfall, the mean beyond a quantile,
//
//	θ(P) = (1-u)^-1 ∫_u^1 P^-1(p) dp,  u = Level.
//
// For a continuous P it is E(y | y > P^-1(u)) (Acerbi and Tasche 2002, definition 2.6, upper tail).
// If the label is a loss, the expected shortfall is the average cost of the worst cases.
type Shortfall struct {
	Level float64 // in (0, 1)
}

// String returns the level after "es": es0.9.
func (f Shortfall) String() string { return "es" + decimal(f.Level) }

// Unit returns TargetUnit.
func (Shortfall) Unit() Unit { return TargetUnit }

func (f Shortfall) level() float64 { return f.Level }

func (f Shortfall) check() error {
	if !(f.Level > 0 && f.Level < 1) {
		return settingError("Functional", "the shortfall level %v is not strictly between 0 and 1",
			f.Level)
	}
	return nil
}

// parseShortfall reads es0.9.
func parseShortfall(text string) (f Functional, why string) {
	digits, ok := strings.CutPrefix(text, "es")
	if !ok {
		return nil, ""
	}
	level, ok := number(digits)
	if !ok || (Shortfall{level}).check() != nil {
		return nil, "a shortfall needs a level between 0 and 1"
	}
	return Shortfall{level}, ""
}

// nodes returns levels beyond u and their weights, which sum to 1: the levels of limitCells, moved.
// The integral is exact for an exponential tail. For a normal distribution its error is below 1e-3
// standard deviations (tested).
func (f Shortfall) nodes() (weights, levels []float64) {
	weights, levels = limitCells()
	for i, l := range levels {
		levels[i] = math.Min(largestRank, f.Level+(1-f.Level)*l)
	}
	return weights, levels
}

// Point returns the mean of ppd beyond its quantile.
func (f Shortfall) Point(ppd PPD) float64 {
	weights, levels := f.nodes()
	values := make([]float64, len(levels))
	Quantiles(ppd, values, levels)
	return weighted(weights, values)
}

// weighted returns the sum of values times weights, computed around the middle value. So a large
// offset costs no accuracy, and equal values give exactly that value.
func weighted(weights, values []float64) float64 {
	sum, origin := 0.0, values[len(values)/2]
	for i, w := range weights {
		sum += w * (values[i] - origin)
	}
	return origin + sum
}

// engine takes the mean of the upper ranks of every chain. Under Paper these are the largest
// forward samples; the first of them may count in part. Under Limit they are G_N^-1 at the nodes.
func (f Shortfall) engine(
	ctx context.Context, p *RankPosterior, _ *rule, kind Posterior,
) (engine, error) {
	if kind == PaperPosterior {
		return newMeanEngine(f.largest(p)), nil
	}
	weights, levels := f.nodes()
	s, err := p.inverses(ctx, weights, levels)
	if err != nil {
		return nil, err
	}
	return newMeanEngine(s), nil
}

// largest returns the largest forward samples of every chain with their weights. Sample k, from 1,
// counts with the part of ((k-1)/N, k/N] beyond the level.
func (f Shortfall) largest(p *RankPosterior) *sample {
	n := p.Steps()
	share := (1 - f.Level) * float64(n) // number of samples beyond the level
	size := min(n, max(1, ceil(share)))
	weights := make([]float64, size)
	for i := range weights {
		weights[i] = 1 / share
	}
	weights[0] = math.Max(0, 1-float64(size-1)/share)
	var ranks []float64
	for b := range p.chains {
		ranks = append(ranks, p.ranks[(b+1)*n-size:(b+1)*n]...)
	}
	return newSample(p.chains, ranks, weights, nil)
}

func (f Shortfall) read(s *Surface) Marginal {
	weights, levels := f.nodes()
	at := make([]spot, len(levels))
	for i, u := range levels {
		at[i] = s.spot(u)
	}
	of := func(tau float64) float64 { // the quantiles beyond the level share one rank τ
		c, values := s.curve(tau), make([]float64, len(at))
		for i, r := range at {
			values[i] = c.quantile(r)
		}
		return weighted(weights, values)
	}
	return marginal{of, func() float64 { return of(0.5) }}
}

func (f Shortfall) supported(s Support, own Own) Marginal { return mapped(own.Of(f), s.clamp) }

// twoPoint takes the share of Max beyond the level.
func (f Shortfall) twoPoint(s Support, mean Marginal) Marginal {
	return mapped(mean, func(m float64) float64 {
		upper := math.Min(1, s.chance(m)/(1-f.Level))
		return s.Min + upper*(s.Max-s.Min)
	})
}
