package explain

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distuv"

	"github.com/pfnamp/pfnamp/folds"
	"github.com/pfnamp/pfnamp/internal/panics"
)

const (
	bootstraps      = 2000
	bootstrapStream = 0x496d_706f_7274_0002
)

// importance summarises the scores of all rows.
func (m *measuring) importance() *Importance {
	n := len(m.held)
	units := newUnits(n, folds.Pick(m.division.Groups, m.held))
	boot := newBootstrap(units, m.options, m.folds)
	whole, spent, without := make([]float64, n), make([]float64, n), make([]float64, n)
	for i, row := range m.held {
		whole[i], spent[i], without[i] = m.whole[row].mixed, m.whole[row].spent, m.known[row]
	}
	out := &Importance{Rows: n, Left: m.left, First: len(m.rows.Y) - n, Folds: m.folds,
		Draws: m.draws, Score: m.score.name(), Loss: boot.mean(whole)}
	explained := floats.SubTo(make([]float64, n), without, spent)
	out.Explained = boot.ratio(explained, without)
	for g, of := range m.groups {
		gain, above, lost := make([]float64, n), make([]float64, n), make([]float64, n)
		for i, row := range m.held {
			s, w := m.replaced[g][row], m.whole[row]
			gain[i], above[i], lost[i] = s.mixed-w.mixed, s.single-w.single, s.spent-w.spent
		}
		found := GroupImportance{Columns: of.columns, Gain: boot.mean(gain),
			Above: units.aboveZero(above), Told: m.told[g], Share: nothing}
		if out.Explained.Lo > 0 {
			found.Share = boot.ratio(lost, explained)
		}
		found.Noise = found.Gain.Point - stat.Mean(above, nil)
		out.Groups = append(out.Groups, found)
	}
	slices.SortStableFunc(out.Groups, func(a, b GroupImportance) int {
		return cmp.Or(cmp.Compare(b.Share.Point, a.Share.Point), cmp.Compare(b.Gain.Point, a.Gain.Point),
			slices.Compare(a.Columns, b.Columns))
	})
	return out
}

// dependence is by what the standard error of a mean over rows is raised, as rows of a fold are
// predicted by one model, and models of different folds have read the same rows. A bound for this
// is √(1 + K/(K-1)) = 1.5 for K folds (Nadeau and Bengio 2003). Without it 6 % of columns of noise
// had a probability of 0.95 or more (docs/evidence/importance.md).
const dependence = 1.2

// units are what is independent: rows, or groups of rows.
type units struct {
	of    []int // unit of every row
	count int
}

// newUnits numbers the units of n rows. Groups are nil where rows are independent.
func newUnits(n int, groups []int) units {
	u := units{of: make([]int, n)}
	names := slices.Compact(slices.Sorted(slices.Values(groups)))
	for i := range u.of {
		u.of[i] = i
		if groups != nil {
			u.of[i], _ = slices.BinarySearch(names, groups[i])
		}
		u.count = max(u.count, u.of[i]+1)
	}
	return u
}

// aboveZero is the posterior probability that the mean of what values are drawn from is above 0:
// with the uninformative prior it has Student's distribution with G-1 degrees of freedom for G
// units. Its squared standard error is G/(G-1) Σ_g (Σ_i (v_i - mean))² / n², with the sums over the
// rows of units (Liang and Zeger 1986), and s²/n where rows are units. Values that are all alike
// tell nothing about a mean of 0.
func (u units) aboveZero(values []float64) float64 {
	mean, sums, square := stat.Mean(values, nil), make([]float64, u.count), 0.0
	for i, v := range values {
		sums[u.of[i]] += v - mean
	}
	for _, s := range sums {
		square += s * s
	}
	g, n := float64(u.count), float64(len(values))
	se := math.Sqrt(g/(g-1)*square) / n
	if !(se > 0) {
		return 0.5
	}
	return distuv.StudentsT{Mu: 0, Sigma: 1, Nu: g - 1}.CDF(mean / (dependence * se))
}

// bootstrap weighs units as the Bayesian bootstrap does. Its intervals are then raised by
// √(1 + K/(K-1)) for K folds, because another table would also give other models, which have read
// the same rows in different folds (Nadeau and Bengio 2003). Without that, 70 % of intervals of
// level 0.9 held the mean importance in other tables (docs/evidence/importance.md).
type bootstrap struct {
	weights [][]float64 // by resample and row, with the mean 1
	tail    float64
	raise   float64
	workers int // see ImportanceOptions
}

func newBootstrap(u units, o ImportanceOptions, folds int) *bootstrap {
	b := &bootstrap{weights: make([][]float64, bootstraps), tail: (1 - o.Level) / 2, raise: 1,
		workers: o.Workers}
	if k := float64(folds); k > 1 {
		b.raise = math.Sqrt(1 + k/(k-1))
	}
	random := rand.New(rand.NewPCG(o.Seed, bootstrapStream))
	drawn, rows := make([]float64, u.count), float64(len(u.of))
	for k := range b.weights {
		for g := range drawn {
			drawn[g] = random.ExpFloat64()
		}
		w, sum := make([]float64, len(u.of)), 0.0
		for i, g := range u.of {
			w[i] = drawn[g]
			sum += w[i]
		}
		for i := range w {
			w[i] *= rows / sum
		}
		b.weights[k] = w
	}
	return b
}

// mean is the mean of what values are drawn from.
func (b *bootstrap) mean(values []float64) Measure {
	return b.measure(func(w []float64) float64 { return stat.Mean(values, w) })
}

// nothing is a measure that there is not.
var nothing = Measure{math.NaN(), math.NaN(), math.NaN()}

// ratio is that of two means. Where the lower one is 0 or less, as with the weights of few
// resamples, its sign is that of the upper one, and it is as large as numbers are.
func (b *bootstrap) ratio(upper, lower []float64) Measure {
	return b.measure(func(w []float64) float64 {
		below := stat.Mean(lower, w)
		if below <= 0 {
			return math.Copysign(math.MaxFloat64, stat.Mean(upper, w))
		}
		return stat.Mean(upper, w) / below
	})
}

// measure is a statistic of rows, given their weights or nil.
func (b *bootstrap) measure(of func(weights []float64) float64) Measure {
	draws := make([]float64, len(b.weights))
	_ = panics.EachOf(b.workers, len(draws), func(k int) { draws[k] = of(b.weights[k]) })
	slices.Sort(draws)
	at := func(p float64) float64 {
		return draws[min(len(draws)-1, int(p*float64(len(draws))))]
	}
	point := of(nil)
	lo, hi := point-b.raise*(point-at(b.tail)), point+b.raise*(at(1-b.tail)-point)
	return Measure{point, max(lo, -math.MaxFloat64), min(hi, math.MaxFloat64)}
}
