package amp

import (
	"context"
	"math"
	"runtime"
	"sync"
	"sync/atomic"

	"golang.org/x/sync/errgroup"

	"github.com/pfnamp/pfnamp/internal/panics"
)

// sample represents one random distribution per chain on the unit interval by ascending ranks. For
// Paper these are the N forward ranks, each of probability 1/N. For Limit they are quantiles of G_N
// at fixed levels, which stand for cells of fixed probability.
type sample struct {
	chains, size int
	ranks        []float64 // chains × size, ascending in each chain
	weights      []float64 // Limit: probability of the cell of each rank; nil for Paper
	levels       []float64 // Limit: level of each rank, inside its cell; nil for Paper
	pooled       func() *pool
}

// newSample returns a sample of the ranks of so many chains; weights and levels are nil for Paper.
func newSample(chains int, ranks, weights, levels []float64) *sample {
	s := &sample{chains: chains, size: len(ranks) / chains, ranks: ranks, weights: weights,
		levels: levels}
	s.pooled = sync.OnceValue(func() *pool { return newPool(s) })
	return s
}

func (s *sample) row(b int) []float64 { return s.ranks[b*s.size : (b+1)*s.size] }

// between interpolates the levels of a Limit sample at u; count of the ranks are at most u. The
// error is less than the difference of two neighbouring levels, whatever G_N is.
func (s *sample) between(ranks []float64, count int, u float64) float64 {
	u0, u1, l0, l1 := 0.0, 1.0, 0.0, 1.0
	if count > 0 {
		u0, l0 = ranks[count-1], s.levels[count-1]
	}
	if count < s.size {
		u1, l1 = ranks[count], s.levels[count]
	}
	if !(u1 > u0) {
		return l1
	}
	return l0 + (l1-l0)*math.Min(1, (u-u0)/(u1-u0))
}

// sample returns the sample of a posterior kind. The first call that is not cancelled builds it.
func (p *RankPosterior) sample(ctx context.Context, kind Posterior) (*sample, error) {
	return p.samples.of(kind, func() (*sample, error) {
		if kind == PaperPosterior {
			return newSample(p.chains, p.ranks, nil, nil), nil
		}
		weights, levels := limitCells()
		return p.inverses(ctx, weights, levels)
	})
}

// inverses is the sample of G_N^-1 at levels, which stand for cells with these weights.
func (p *RankPosterior) inverses(ctx context.Context, weights, levels []float64) (*sample, error) {
	s := newSample(p.chains, make([]float64, p.chains*len(levels)), weights, levels)
	err := p.eachChain(ctx, func(b int, c *chain) {
		row := s.row(b)
		copy(row, levels)
		c.inverseAll(row)
	})
	if err != nil {
		return nil, err
	}
	return s, nil
}

// limitCells returns the cells of a Limit sample. Their probabilities are 1/64, and towards both
// ends 1/128, 1/256, 1/512, 1/1024, 1/1024. The level in each cell gives the cell's mean of -log w,
// or of -log(1-w) in the upper half, exactly. So exponential tails cause no error of the mean.
func limitCells() (weights, levels []float64) {
	ends := []float64{0, 0x1p-10, 0x1p-9, 0x1p-8, 0x1p-7}
	for j := 1; j <= 32; j++ {
		ends = append(ends, float64(j)*0x1p-6)
	}
	half := len(ends) - 1
	weights, levels = make([]float64, 2*half), make([]float64, 2*half)
	for j := range half {
		a, b := ends[j], ends[j+1]
		entropy := b * math.Log(b)
		if a > 0 {
			entropy -= a * math.Log(a)
		}
		w := math.Exp(entropy/(b-a) - 1)
		weights[j], weights[2*half-1-j] = b-a, b-a
		levels[j], levels[2*half-1-j] = w, 1-w
	}
	return weights, levels
}

// eachChain calls f with every chain, loaded and tabulated, from several goroutines.
func (p *RankPosterior) eachChain(ctx context.Context, f func(b int, c *chain)) error {
	n := p.Steps()
	return parallel(ctx, p.chains, p.workers, func() func(b int) {
		c := newChain(p.law, n)
		return func(b int) {
			c.load(p.rates, p.drawn[b*n:(b+1)*n])
			f(b, c)
		}
	})
}

// parallel calls work for 0..n-1, from several goroutines. It returns after all goroutines have
// ended: nil after the whole work, else the cause of ctx or the *panics.Error of a goroutine. Every
// goroutine calls start once for its work, and so has its own working memory.
func parallel(ctx context.Context, n, workers int, start func() (work func(i int))) error {
	const block = 8
	if workers == 0 {
		workers = runtime.GOMAXPROCS(0)
	}
	workers = max(1, min(workers, (n+block-1)/block))
	var next atomic.Int64
	var group errgroup.Group
	for range workers {
		group.Go(panics.Job(func() error {
			work := start()
			for ctx.Err() == nil {
				lo := int(next.Add(block)) - block
				if lo >= n {
					break
				}
				for i := lo; i < min(lo+block, n); i++ {
					work(i)
				}
			}
			return nil
		}))
	}
	if err := group.Wait(); err != nil {
		return err
	}
	return context.Cause(ctx)
}
