package drift

import (
	"math"
	"math/rand/v2"
	"slices"
)

// jump is the rate at which the bets change, that of the publication.
const jump = 0.01

// bets are the slopes ε of the betting functions 1 + ε(p - ½): against small p-values, for none,
// for large.
var bets = [3]float64{-1, 0, 1}

// Martingale accumulates evidence for drift from p-values. If the rows are exchangeable, the
// p-values are independent and uniform, and the probability that the martingale ever reaches c is
// at most 1/c (Ville 1939). The method is the Simple Jumper (Vovk, Petej, Nouretdinov, Ahlberg,
// Carlsson and Gammerman 2021, Retrain or Not Retrain, algorithm 1). The zero value is ready for
// use.
type Martingale struct {
	capital [3]float64 // shares of the capital on the bets
	log     float64    // of all capital
	most    float64    // largest log so far
}

// Add bets on one p-value in [0, 1].
func (m *Martingale) Add(p float64) {
	if m.capital == ([3]float64{}) {
		m.capital = [3]float64{1. / 3, 1. / 3, 1. / 3}
	}
	sum := 0.0
	for k, slope := range bets {
		m.capital[k] = (1-jump)*m.capital[k] + jump/3
		m.capital[k] *= 1 + slope*(p-0.5)
		sum += m.capital[k]
	}
	for k := range m.capital {
		m.capital[k] /= sum
	}
	m.log += math.Log(sum)
	m.most = math.Max(m.most, m.log)
}

// Value returns the current value; it begins with 1.
func (m *Martingale) Value() float64 { return math.Exp(m.log) }

// Most returns the largest value so far, at least 1.
func (m *Martingale) Most() float64 { return math.Exp(m.most) }

// Ranks turns scores into p-values: the share of the scores so far that are larger, with ties
// broken at random (Vovk, Gammerman and Shafer 2005, smoothed conformal predictors). If the scores
// are exchangeable, the p-values are independent and uniform.
type Ranks struct {
	sorted []float64
	random *rand.Rand
}

// NewRanks starts with the scores of the context. The seed decides how ties are broken.
func NewRanks(context []float64, seed uint64) *Ranks {
	return &Ranks{slices.Sorted(slices.Values(context)), rand.New(rand.NewPCG(seed, stream+1))}
}

// Add returns the p-value of the next score, in (0, 1].
func (r *Ranks) Add(score float64) float64 {
	first, _ := slices.BinarySearch(r.sorted, score)
	past, _ := slices.BinarySearch(r.sorted, math.Nextafter(score, math.Inf(1)))
	n := float64(len(r.sorted))
	p := (n - float64(past) + r.random.Float64()*float64(past-first+1)) / (n + 1)
	r.sorted = slices.Insert(r.sorted, first, score)
	return p
}
