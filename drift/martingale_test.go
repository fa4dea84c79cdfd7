package drift

import (
	"math"
	"math/rand/v2"
	"testing"
)

// ran feeds a martingale with scores of a batch after those of a context.
func ran(random *rand.Rand, seed uint64, context, batch int, shift float64) *Martingale {
	scores := make([]float64, context)
	for i := range scores {
		scores[i] = math.Abs(random.NormFloat64())
	}
	ranks, m := NewRanks(scores, seed), &Martingale{}
	for range batch {
		m.Add(ranks.Add(math.Abs(random.NormFloat64() + shift)))
	}
	return m
}

// Among exchangeable rows the capital reaches 100 in at most a hundredth of the batches, and 20 in
// a twentieth; it grows where labels move away. More batches: -batches 1000.
func TestMartingale(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 3))
	false20, false100, found := 0.0, 0.0, 0.0
	each := 1 / float64(*simulations)
	for s := range *simulations {
		m := ran(random, uint64(s), 100, 500, 0)
		if m.Most() >= 20 {
			false20 += each
		}
		if m.Most() >= 100 {
			false100 += each
		}
		if ran(random, uint64(s), 100, 500, 1.5).Most() >= 100 {
			found += each
		}
	}
	t.Logf("500 rows: 20 is reached in %.3f of the batches, 100 in %.3f; shifted labels reach it in "+
		"%.3f",
		false20, false100, found)
	if false20 > atMost(0.05) || false100 > atMost(0.01) || found < 0.9 {
		t.Error("more false alarms than promised, or too little power")
	}
}

// P-values of exchangeable scores are uniform, ties or none.
func TestRanks(t *testing.T) {
	random := rand.New(rand.NewPCG(4, 4))
	for _, levels := range []int{2, 1_000_000} {
		sum, below, n := 0.0, 0.0, 20000
		for s := range n / 20 {
			context := make([]float64, 30)
			for i := range context {
				context[i] = float64(random.IntN(levels))
			}
			ranks := NewRanks(context, uint64(s))
			for range 20 {
				p := ranks.Add(float64(random.IntN(levels)))
				sum += p / float64(n)
				if p <= 0.1 {
					below += 1 / float64(n)
				}
			}
		}
		if math.Abs(sum-0.5) > 0.02 || math.Abs(below-0.1) > 0.02 {
			t.Errorf("%d levels: the mean is %v, and %v are below 0.1", levels, sum, below)
		}
	}
	if p := NewRanks([]float64{1, 2, 3}, 1).Add(9); p > 0.25 {
		t.Errorf("the strangest of four scores has p = %v", p)
	}
}

// The product of the betting factors is the capital.
func TestMartingaleByHand(t *testing.T) {
	var m Martingale
	m.Add(0) // bets 1.5, 1, 0.5 with a third each
	if want := 1.0; math.Abs(m.Value()-want) > 1e-12 {
		t.Errorf("%v, want %v", m.Value(), want)
	}
	m.Add(0)
	shares := [3]float64{0.5, 1. / 3, 1. / 6}
	want := 0.0
	for k, slope := range bets {
		want += ((1-jump)*shares[k] + jump/3) * (1 - slope*0.5)
	}
	if math.Abs(m.Value()-want) > 1e-12 || m.Most() < want-1e-12 {
		t.Errorf("%v, want %v", m.Value(), want)
	}
}
