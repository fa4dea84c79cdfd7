package amp

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
)

// JointSampler draws the dependence between query rows: a Gaussian process z over feature space,
//
//	corr(z(x), z(x')) = exp(-½ Σ_j ((x_j - x'_j)/l_j)²).
//
// The ranks of z order the posterior draws of every row, so that differences between rows, averages
// over rows and simultaneous bands are possible. The posterior of a single row does not change. The
// paper leaves the dependence open and suggests a Gaussian copula with a distance kernel. The data
// do not determine how strong the dependence is: you choose it by the lengths.
//
// The process is a sum of waves with random frequencies, drawn once (Rahimi and Recht 2007),
//
//	z_b(x) = W^(-1/2) Σ_w [A_bw cos ω_w·x + B_bw sin ω_w·x],  A, B ~ N(0, 1).
//
// Its variance is exactly 1, and the error of its correlation is about (2W)^(-1/2). A row costs W B
// operations, however many rows there are. So rows can be streamed, and no row depends on the other
// query rows. Memory is 16 W B bytes.
type JointSampler struct {
	Lengths []float64 // l_j of every feature, positive; +Inf leaves a feature out
	Draws   int       // B, as in the rank posterior, at least 2; 0 means DefaultChains
	Waves   int       // W, at least 1; 0 means DefaultWaves
	Seed    uint64
}

// DefaultWaves is the default of W. With it, correlations have an error of about 0.04.
const DefaultWaves = 256

// Field holds B draws of the process. It is immutable and safe for concurrent use.
type Field struct {
	draws, waves int
	frequencies  []float64 // W × features
	amplitudes   []float64 // 2 W × B: of cosines and sines in turn
	features     int
}

// Draw draws the process. It fails if a field of s is out of range.
func (s JointSampler) Draw() (*Field, error) {
	f := &Field{draws: cmp.Or(s.Draws, DefaultChains), waves: cmp.Or(s.Waves, DefaultWaves),
		features: len(s.Lengths)}
	switch {
	case f.features == 0:
		return nil, errors.New("amp: a joint posterior needs at least 1 feature length, got 0")
	case f.draws < 2 || f.draws > MaxChains:
		return nil, fmt.Errorf("amp: draws must be between 2 and %d, got %d", MaxChains, f.draws)
	case f.waves < 1 || f.waves > MaxRanks/(2*f.draws):
		return nil, fmt.Errorf("amp: %d waves are out of range for %d draws", f.waves, f.draws)
	}
	for j, l := range s.Lengths {
		if !(l > 0) {
			return nil, fmt.Errorf("amp: the length of feature %d is %v, it must be positive", j+1, l)
		}
	}
	random := rand.New(stream(s.Seed, MaxChains)) // a key that no chain has
	for range f.waves {
		for _, l := range s.Lengths {
			f.frequencies = append(f.frequencies, random.NormFloat64()/l)
		}
	}
	f.amplitudes = make([]float64, 2*f.waves*f.draws)
	for i := range f.amplitudes {
		f.amplitudes[i] = random.NormFloat64()
	}
	return f, nil
}

// Draws returns B.
func (f *Field) Draws() int { return f.draws }

// Values sets dst, of length B, to z_b at the row x. It panics if a length is wrong.
func (f *Field) Values(dst, x []float64) { f.Sum(dst, f.Basis(x)) }

// Basis returns the W cosines and sines at the row x, in turn. It panics if the length of x is
// wrong.
func (f *Field) Basis(x []float64) []float64 {
	if len(x) != f.features {
		panic("amp: Basis needs one value per feature")
	}
	basis, scale := make([]float64, 0, 2*f.waves), 1/math.Sqrt(float64(f.waves))
	for w := range f.waves {
		angle := 0.0
		for j, v := range x {
			angle += f.frequencies[w*f.features+j] * v
		}
		sin, cos := math.Sincos(angle)
		basis = append(basis, cos*scale, sin*scale)
	}
	return basis
}

// Sum sets dst, of length B, to the draws of a weighted sum of bases. It panics if a length is
// wrong.
func (f *Field) Sum(dst, basis []float64) {
	if len(dst) != f.draws || len(basis) != 2*f.waves {
		panic("amp: Sum needs len(dst) to be the number of draws, and a basis")
	}
	clear(dst)
	for w := range f.waves {
		cos, sin := basis[2*w], basis[2*w+1]
		even := f.amplitudes[2*w*f.draws : (2*w+1)*f.draws]
		odd := f.amplitudes[(2*w+1)*f.draws : (2*w+2)*f.draws]
		for b := range dst {
			dst[b] += even[b]*cos + odd[b]*sin
		}
	}
}

// RanksOf returns the ranks of draws, from 0; equal draws keep their order.
func RanksOf(z []float64) []int {
	order, ranks := make([]int, len(z)), make([]int, len(z))
	for b := range order {
		order[b] = b
	}
	slices.SortFunc(order, func(a, b int) int {
		return cmp.Or(cmp.Compare(z[a], z[b]), cmp.Compare(a, b))
	})
	for rank, b := range order {
		ranks[b] = rank
	}
	return ranks
}

// Coupled implements [Summary]. It returns the posterior draws of the functional at a row, in the
// order of the ranks of a [Field] at that row. Draw b of all rows together is one draw of the joint
// posterior. The draws are those of [Summarizer.Draws] in another order, so every interval of the
// row alone stays the same. Coupled panics unless there is one rank for every draw.
func (s *Summarizer) Coupled(p Prediction, ranks []int) []float64 {
	sorted := s.Draws(nil, p.PPD)
	if len(sorted) != len(ranks) {
		panic("amp: Coupled needs one rank per chain")
	}
	slices.Sort(sorted)
	coupled := make([]float64, len(ranks))
	for b, rank := range ranks {
		coupled[b] = sorted[rank]
	}
	return coupled
}

// CredibleInterval returns the credible interval of posterior draws, for example of differences or
// averages of coupled draws. The level is in (0, 1). CredibleInterval permutes the draws. It panics
// if there are fewer than 2 draws or if the level is out of range.
func CredibleInterval(draws []float64, level float64, kind IntervalKind) (lo, hi float64) {
	if len(draws) < 2 || !(level > 0 && level < 1) {
		panic("amp: CredibleInterval needs at least 2 draws and a level in (0, 1)")
	}
	l := newRule(Spec{Level: level, Interval: kind}, len(draws)).of(draws)
	return l.lo, l.hi
}

// Simultaneous finds the level of pointwise intervals that make a simultaneous band. With the
// requested probability, a draw of the joint posterior lies inside the equal-tailed intervals of
// all rows. Add rows one by one to the zero value. Memory is one number per draw.
type Simultaneous struct {
	depth []int // by draw: distance of its most extreme rank so far from the nearer end
}

// Add adds a row, by the ranks of the field there, of which all rows have as many.
func (s *Simultaneous) Add(ranks []int) {
	last := len(ranks) - 1
	if s.depth == nil {
		s.depth = slices.Repeat([]int{last}, len(ranks))
	}
	for b, rank := range ranks {
		s.depth[b] = min(s.depth[b], rank, last-rank)
	}
}

// PointwiseLevel returns the level of the rows' equal-tailed intervals with which the intervals of
// all added rows hold a joint draw with probability level. It is at least level, and less than 1.
func (s *Simultaneous) PointwiseLevel(level float64) float64 {
	sorted := slices.Sorted(slices.Values(s.depth))
	if len(sorted) == 0 {
		return level
	}
	draws := float64(len(sorted))
	cut := sorted[min(len(sorted)-1, int((1-level)*draws))]
	return math.Max(level, math.Min(1-1/draws, 1-2*float64(cut)/draws))
}
