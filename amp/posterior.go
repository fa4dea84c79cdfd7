package amp

import (
	"cmp"
	"context"
)

// Defaults of [Sampler] and [Spec].
const (
	// DefaultSteps is N, the forward samples of a chain (Nagler and Rügamer 2025).
	DefaultSteps = 50
	// DefaultChains is the default of B. With it, the Monte-Carlo standard error of a 90 % limit is
	// about 1.1 % of the interval's width, and at most about 2.5 %. Measured for d = 1..50, n =
	// 2..5000, the mean and five quantiles. All query rows share the chains, which cost 0.2 s on
	// two cores.
	DefaultChains = 4000
	// PaperChains is B in Nagler and Rügamer (2025).
	PaperChains = 50
	// DefaultRho is the bandwidth of the Gaussian copula (Nagler and Rügamer 2025).
	DefaultRho = 0.99
	// DefaultLevel is the credible level of the intervals.
	DefaultLevel = 0.90
)

// Independence is the value of Sampler.Rho for ρ = 0. A Rho of 0 means DefaultRho.
const Independence = -1

// Sampler draws rank posteriors. Only Schedule must be set; the zero value of every other field
// stands for its default.
type Sampler struct {
	Schedule Schedule // learning rates α_1..α_N
	Steps    int      // N, at least 1; 0 means DefaultSteps
	Chains   int      // B, at least 2; 0 means DefaultChains
	Rho      float64  // ρ in (0, 1]; 0 means DefaultRho, and Independence means ρ = 0
	Seed     uint64   // key of the random streams; chain b depends on (Seed, b) only
	Workers  int      // goroutines; 0 means GOMAXPROCS. Results do not depend on it
}

// RankPosterior holds B chains of the forward recursion on the unit interval. Their law depends
// on the schedule, N and ρ, never on a query row, so one RankPosterior serves all rows of a data
// set. It is immutable and safe for concurrent use.
type RankPosterior struct {
	rates   []float64 // α_1..α_N
	law     *law
	chains  int
	workers int
	drawn   []float64 // B × N: V_1..V_N in order of drawing
	ranks   []float64 // B × N: U_1..U_N ascending

	samples memo[Posterior, *sample] // of the ranks, and quantiles of G_N of every chain
	urn     memo[Posterior, *urns]   // G_N of every chain for ρ = 1, of LimitPosterior alone
}

// Draw runs the chains. It fails if a field of s is out of range, and with the cause of ctx when
// ctx is cancelled. All goroutines have ended when it returns.
func (s Sampler) Draw(ctx context.Context) (*RankPosterior, error) {
	p, err := s.check()
	if err != nil {
		return nil, err
	}
	n := p.Steps()
	p.drawn, p.ranks = make([]float64, p.chains*n), make([]float64, p.chains*n)
	err = parallel(ctx, p.chains, p.workers, func() func(b int) {
		c := newChain(p.law, n)
		return func(b int) {
			c.draw(p.rates, stream(s.Seed, b), p.drawn[b*n:(b+1)*n], p.ranks[b*n:(b+1)*n])
		}
	})
	if err != nil {
		return nil, err
	}
	return p, nil
}

// check applies the defaults to s and returns the posterior without its chains.
func (s Sampler) check() (*RankPosterior, error) {
	steps, chains := cmp.Or(s.Steps, DefaultSteps), cmp.Or(s.Chains, DefaultChains)
	rho := s.Rho
	switch rho {
	case 0:
		rho = DefaultRho
	case Independence:
		rho = 0
	}
	switch {
	case s.Schedule == nil:
		return nil, settingError("Schedule", "set the sampler's Schedule, for example a PaperSchedule")
	case steps < 1 || steps > MaxSteps:
		return nil, settingError("Steps", "steps must be between 1 and %d, got %d", MaxSteps, steps)
	case chains < 2 || chains > MaxChains:
		return nil, settingError("Chains", "chains must be between 2 and %d, got %d", MaxChains, chains)
	case chains > MaxRanks/steps:
		return nil, settingError("Chains", "%d chains of %d steps exceed %d ranks: lower one of them",
			chains, steps, MaxRanks)
	case !(rho >= 0 && rho <= 1):
		return nil, settingError("Rho", "rho must be between 0 and 1, got %v", rho)
	case s.Workers < 0:
		return nil, settingError("Workers", "workers must not be negative, got %d", s.Workers)
	}
	rates, err := s.Schedule.Rates(steps)
	if err != nil {
		return nil, err
	}
	if rates, err = FixedSchedule(rates).Rates(steps); err != nil {
		return nil, err
	}
	return &RankPosterior{rates: rates, law: newLaw(rho), chains: chains, workers: s.Workers}, nil
}

// Limits that keep counts of forward samples within 16 bits and the memory of a posterior in
// bounds.
const (
	MaxSteps  = 1<<16 - 1 // N, the most steps of a chain
	MaxChains = 1 << 24   // B, the most chains
	MaxRanks  = 1 << 27   // the most forward samples of all chains, B N
)

// Steps returns N.
func (p *RankPosterior) Steps() int { return len(p.rates) }
