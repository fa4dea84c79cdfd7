package amp

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
)

// rule turns B posterior draws into a credible interval. Both limits are order statistics of the
// draws, never interpolated: an interval of an increasing transform of the draws is the
// transform of the interval, exactly for equal tails.
type rule struct {
	kind   IntervalKind
	draws  int     // B
	low    int     // equal tails: position of the lower limit; the upper one is B-1-low
	inside int     // highest density: number of draws inside the interval
	spread int     // half-width, in draws, of the spacing that estimates a limit's density
	scale  float64 // √(B q (1-q)), the binomial standard deviation at the tail probability q
	errors bool
	boot   *resamples // highest density with errors only
	at     [6]int     // positions of the order statistics for equal tails, see positions
	needed []int      // the distinct positions of at, ascending
}

// limits is a credible interval with the Monte-Carlo standard errors of its ends, NaN unless
// Spec.Errors asks for them.
type limits struct{ lo, hi, loSE, hiSE float64 }

func newRule(spec Spec, draws int) *rule {
	n, tail := float64(draws), (1-spec.Level)/2
	r := &rule{kind: spec.Interval, draws: draws, errors: spec.Errors}
	r.low = max(1, ceil(tail*n)) - 1
	r.low = min(r.low, (draws-1)/2)
	r.inside = min(draws, max(1, ceil(spec.Level*n)))
	r.scale = math.Sqrt(n * tail * (1 - tail))
	r.spread = max(1, int(math.Round(r.scale)))
	r.at = r.positions()
	r.needed = []int{r.at[1], r.at[4]}
	if r.errors {
		r.needed = slices.Clone(r.at[:])
	}
	slices.Sort(r.needed)
	r.needed = slices.Compact(r.needed)
	if r.errors && r.kind == HighestDensity {
		r.boot = newResamples(r)
	}
	return r
}

// ceil rounds up. It ignores the rounding errors of products such as 0.05 * 4000.
func ceil(v float64) int { return int(math.Ceil(v - 1e-9*math.Max(1, v))) }

// outside returns the number of draws at each end that a highest-density interval may leave out,
// plus one.
func (r *rule) outside() int { return r.draws - r.inside + 1 }

// positions returns the positions of the order statistics for equal tails: the lower limit with its
// spacing below and above, then the upper limit likewise.
func (r *rule) positions() [6]int {
	last, high := r.draws-1, r.draws-1-r.low
	return [6]int{
		max(0, r.low-r.spread), r.low, min(last, r.low+r.spread),
		max(0, high-r.spread), high, min(last, high+r.spread),
	}
}

// equalTails forms the limits from the values at positions. The standard error of an order
// statistic is the binomial one of its rank times the quantile density estimated by a spacing:
//
//	SE = √(B q (1-q)) (θ_(k+m) - θ_(k-m)) / 2m,  m = round √(B q (1-q)), q the tail probability
//
// (Siddiqui 1960; David and Nagaraja 2003, section 4.3), spacings cut off at the first and last
// draw.
func (r *rule) equalTails(at [6]float64) limits {
	l := limits{at[1], at[4], math.NaN(), math.NaN()}
	if r.errors {
		l.loSE = r.scale * (at[2] - at[0]) / float64(r.at[2]-r.at[0])
		l.hiSE = r.scale * (at[5] - at[3]) / float64(r.at[5]-r.at[3])
	}
	return l
}

// of returns the limits of draws in any order, which it permutes.
func (r *rule) of(draws []float64) limits {
	for _, v := range draws {
		if math.IsNaN(v) {
			return limits{v, v, v, v}
		}
	}
	if r.kind == HighestDensity {
		r.sortEnds(draws)
		return r.shortest(draws)
	}
	selectAll(draws, r.needed, 0)
	var at [6]float64
	for i, k := range r.at {
		at[i] = draws[k]
	}
	return r.equalTails(at)
}

// sortEnds sorts the draws that shortest reads: all of them if it estimates errors, else both ends.
func (r *rule) sortEnds(draws []float64) {
	n := r.outside()
	if r.errors || 2*n >= r.draws {
		slices.Sort(draws)
		return
	}
	selectAll(draws, []int{n - 1, r.draws - n}, 0)
	slices.Sort(draws[:n])
	slices.Sort(draws[r.draws-n:])
}

// shortest returns the highest-density limits of ascending draws: the first of the shortest
// intervals [θ_(i), θ_(i+inside-1)].
func (r *rule) shortest(sorted []float64) limits {
	best, width := 0, math.Inf(1)
	for i := range r.outside() {
		if w := sorted[i+r.inside-1] - sorted[i]; w < width {
			best, width = i, w
		}
	}
	l := limits{sorted[best], sorted[best+r.inside-1], math.NaN(), math.NaN()}
	if r.errors {
		l.loSE, l.hiSE = r.boot.errors(sorted)
	}
	return l
}

// resamples are bootstrap resamples of B sorted draws in rank form. Element i of a resample's low
// half is the position, among the sorted draws, of the resample's i-th smallest value; its high
// half holds the positions of the matching upper ends. They serve every row, because order
// statistics commute with increasing transforms. The endpoints of a shortest interval converge at
// the rate B^(-1/3), so the bootstrap is only an approximation (tested by repeated simulation to be
// within a factor of 1.6).
type resamples struct {
	low, high [][]uint32
}

// replicates is the number of bootstrap resamples; it makes the error of an error about 9 %.
const replicates = 64

func newResamples(r *rule) *resamples {
	stream := rand.NewPCG(mix(uint64(r.draws)), mix(uint64(r.inside)))
	m := new(resamples)
	counts, order := make([]int, r.draws), make([]uint32, r.draws)
	for range replicates {
		clear(counts)
		for range r.draws {
			counts[int(uniform(stream)*float64(r.draws))]++
		}
		order = order[:0]
		for at, c := range counts {
			for range c {
				order = append(order, uint32(at))
			}
		}
		m.low = append(m.low, slices.Clone(order[:r.outside()]))
		m.high = append(m.high, slices.Clone(order[r.inside-1:]))
	}
	return m
}

// errors returns the standard deviations of both limits over the resamples.
func (m *resamples) errors(sorted []float64) (lo, hi float64) {
	var los, his [replicates]float64
	for j, low := range m.low {
		high, width := m.high[j], math.Inf(1)
		for i, k := range low {
			if w := sorted[high[i]] - sorted[k]; w < width {
				los[j], his[j], width = sorted[k], sorted[high[i]], w
			}
		}
	}
	return deviation(los[:]), deviation(his[:])
}

// deviation returns the standard deviation of x, computed about its first value.
func deviation(x []float64) float64 {
	var sum, square float64
	for _, v := range x {
		d := v - x[0]
		sum += d
		square += d * d
	}
	n := float64(len(x))
	return math.Sqrt(math.Max(0, (square-sum*sum/n)/(n-1)))
}

// IntervalKind is the kind of credible interval that summarises posterior draws.
type IntervalKind int

const (
	// EqualTailed leaves the same number of draws out on both sides. It is the default.
	EqualTailed IntervalKind = iota
	// HighestDensity is the shortest interval that holds the requested share of the draws.
	HighestDensity
)

// String returns the name that ParseIntervalKind reads.
func (k IntervalKind) String() string {
	switch k {
	case EqualTailed:
		return "equal-tailed"
	case HighestDensity:
		return "hpd"
	}
	return fmt.Sprintf("IntervalKind(%d)", int(k))
}

// ParseIntervalKind reads "equal-tailed" or "hpd".
func ParseIntervalKind(text string) (IntervalKind, error) {
	for _, k := range []IntervalKind{EqualTailed, HighestDensity} {
		if text == k.String() {
			return k, nil
		}
	}
	return 0, fmt.Errorf("unknown kind of interval %q: write equal-tailed or hpd", text)
}

// selectAll permutes x so that x[k-first] is its k-th smallest value (from first) for every k of
// ks, which ascends strictly. No value of x may be NaN. Cost O(len(x)) per level of bisection of
// ks.
func selectAll(x []float64, ks []int, first int) {
	if len(ks) == 0 {
		return
	}
	mid := len(ks) / 2
	k := ks[mid] - first
	selectNth(x, k)
	selectAll(x[:k], ks[:mid], first)
	selectAll(x[k+1:], ks[mid+1:], ks[mid]+1)
}

// selectNth is Hoare's selection with the median of three as pivot.
func selectNth(x []float64, k int) {
	lo, hi := 0, len(x)-1
	for hi-lo > 2 {
		mid := lo + (hi-lo)/2
		sortThree(x, lo, mid, hi)
		pivot := x[mid]
		i, j := lo, hi
		for i <= j {
			for x[i] < pivot {
				i++
			}
			for x[j] > pivot {
				j--
			}
			if i <= j {
				x[i], x[j] = x[j], x[i]
				i++
				j--
			}
		}
		switch {
		case k <= j:
			hi = j
		case k >= i:
			lo = i
		default:
			return
		}
	}
	sortThree(x, lo, lo+(hi-lo)/2, hi)
}

func sortThree(x []float64, a, b, c int) {
	if x[b] < x[a] {
		x[a], x[b] = x[b], x[a]
	}
	if x[c] < x[b] {
		x[b], x[c] = x[c], x[b]
		if x[b] < x[a] {
			x[a], x[b] = x[b], x[a]
		}
	}
}
