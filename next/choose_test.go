package next

import (
	"math"
	"math/rand/v2"
	"testing"
)

// Expected improvement is the mean of improvements that are drawn.
func TestImprovement(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for _, goal := range []Goal{{Aim: Minimum}, {Aim: Maximum}, {Target, 2}} {
		for _, belief := range [][3]float64{{1, 0.5, 0.3}, {0.4, 2, 1}, {3, -1, 0.5}} {
			best, mean, spread := belief[0], belief[1], belief[2]
			sum := 0.0
			const draws = 200_000
			for range draws {
				sum += math.Max(0, best-goal.miss(mean+spread*random.NormFloat64())) / draws
			}
			if got := goal.improvement(best, mean, spread); math.Abs(got-sum) > 0.01 {
				t.Errorf("%v, %v: %v, drawn %v", goal, belief, got, sum)
			}
		}
		if got, want := goal.improvement(1, 1.5, 0), math.Max(0, 1-goal.miss(1.5)); got != want {
			t.Errorf("%v without a spread: %v, want %v", goal, got, want)
		}
	}
}

// pairs are beliefs about four rows of which 0 and 1 are nearly the same, and 2 and 3 far from all.
func pairs() Beliefs {
	random := rand.New(rand.NewPCG(3, 4))
	b := Beliefs{Mean: []float64{0, 0.01, 0.2, 5, 0.1}, Spread: []float64{1, 1, 0.8, 0.1, 0},
		Noise: []float64{0.1, 0.1, 0.1, 0.1, 0.1}, Scores: make([][]float64, 5)}
	for range 4000 {
		z := random.NormFloat64()
		for i := range b.Scores {
			v := random.NormFloat64()
			if i < 2 {
				v = 0.999*z + math.Sqrt(1-0.999*0.999)*v
			}
			b.Scores[i] = append(b.Scores[i], v)
		}
	}
	return b
}

// A batch does not take a row whose neighbour it has taken; rows ranked one by one do.
func TestBatchesDiffer(t *testing.T) {
	for _, goal := range []Goal{{Aim: Minimum}, {Aim: Learn}} {
		alone := Choose(pairs(), 4, Options{Goal: goal})
		if len(alone) != 4 || alone[0].Candidate > 1 || alone[1].Candidate > 1 {
			t.Errorf("%v, one by one: %v", goal, alone)
		}
		batch := Choose(pairs(), 4, Options{Goal: goal, Batch: 2})
		if len(batch) != 2 || batch[0].Candidate != alone[0].Candidate || batch[1].Candidate != 2 {
			t.Errorf("%v, together: %v", goal, batch)
		}
	}
}

// A row that costs much must gain much.
func TestCosts(t *testing.T) {
	opt := Options{Goal: Goal{Aim: Minimum}, Batch: 1, Costs: []float64{10, 10, 1, 1}}
	if got := Choose(pairs(), 4, opt); got[0].Candidate != 2 {
		t.Errorf("%v", got)
	}
}

// Learning in a world of independent rows gains var²/(var + noise²) of the total, known exactly.
func TestLearnedVariance(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 6))
	b := Beliefs{Mean: make([]float64, 3), Spread: []float64{1, 2, 3}, Noise: []float64{1, 1, 10},
		Scores: make([][]float64, 3)}
	for i := range b.Scores {
		for range 100_000 {
			b.Scores[i] = append(b.Scores[i], random.NormFloat64())
		}
	}
	for _, c := range Choose(b, 3, Options{Goal: Goal{Aim: Learn}}) {
		v := b.Spread[c.Candidate] * b.Spread[c.Candidate]
		want := v * v / (v + b.Noise[c.Candidate]*b.Noise[c.Candidate]) / 14
		if math.Abs(c.Gain-want) > 0.002 {
			t.Errorf("row %d: %v, want %v", c.Candidate, c.Gain, want)
		}
	}
}

// Goals are read as they are written, and nothing else is one.
func TestParseGoal(t *testing.T) {
	for _, text := range []string{"minimum", "maximum", "learn", "target=-2.5"} {
		if g, err := ParseGoal(text); err != nil || g.String() != text {
			t.Errorf("%s: %v, %v", text, g, err)
		}
	}
	for _, text := range []string{"", "target", "target=x", "target=NaN", "minimum=3", "best"} {
		if g, err := ParseGoal(text); err == nil {
			t.Errorf("%q is %v", text, g)
		}
	}
}
