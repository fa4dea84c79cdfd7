package next

import (
	"errors"
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

// pairs are beliefs about four rows: 0 and 1 are nearly the same, 2 and 3 far from all.
func pairs() []Beliefs {
	return []Beliefs{{Weight: 1, Mean: []float64{0, 0.01, 0.2, 5, 0.1},
		Spread: []float64{1, 1, 0.8, 0.1, 0}, Noise: 0.1, Correlation: func(i, j int) float64 {
			if i+j == 1 {
				return 0.998
			}
			return 0
		}}}
}

// chosen is what Choose chooses.
func chosen(t *testing.T, all []Beliefs, n int, opt Options) []Choice {
	t.Helper()
	choices, err := Choose(all, n, opt)
	if err != nil {
		t.Fatal(err)
	}
	return choices
}

// Without a measured row there is nothing to improve on, but something to learn.
func TestNothingMeasured(t *testing.T) {
	for _, goal := range []Goal{{Aim: Minimum}, {Aim: Maximum}, {Target, 2}} {
		if got, err := Choose(pairs(), 5, Options{Goal: goal}); !errors.Is(err, ErrNothingMeasured) {
			t.Errorf("%v: %v, %v", goal, got, err)
		}
	}
	if got := chosen(t, pairs(), 5, Options{Goal: Goal{Aim: Learn}}); len(got) != 5 {
		t.Errorf("learning: %v", got)
	}
}

// A batch does not take a row whose neighbour it has taken; rows ranked one by one do.
func TestBatchesDiffer(t *testing.T) {
	for _, goal := range []Goal{{Aim: Minimum}, {Aim: Learn}} {
		alone := chosen(t, pairs(), 4, Options{Goal: goal})
		if len(alone) != 4 || alone[0].Candidate > 1 || alone[1].Candidate > 1 {
			t.Errorf("%v, one by one: %v", goal, alone)
		}
		batch := chosen(t, pairs(), 4, Options{Goal: goal, Batch: 2})
		if len(batch) != 2 || batch[0].Candidate != alone[0].Candidate || batch[1].Candidate != 2 {
			t.Errorf("%v, together: %v", goal, batch)
		}
	}
}

// A row that costs much must gain much.
func TestCosts(t *testing.T) {
	opt := Options{Goal: Goal{Aim: Minimum}, Batch: 1, Costs: []float64{10, 10, 1, 1}}
	if got := chosen(t, pairs(), 4, opt); got[0].Candidate != 2 {
		t.Errorf("%v", got)
	}
}

// alone are beliefs about independent rows.
func alone(weight, noise float64, spreads ...float64) Beliefs {
	return Beliefs{Weight: weight, Mean: make([]float64, len(spreads)), Spread: spreads, Noise: noise,
		Correlation: func(int, int) float64 { return 0 }}
}

// Learning in a world of independent rows gains var²/(var + noise²) of the total.
func TestLearnedVariance(t *testing.T) {
	b := alone(1, 1, 1, 2, 3)
	for _, c := range chosen(t, []Beliefs{b}, 3, Options{Goal: Goal{Aim: Learn}}) {
		v := b.Spread[c.Candidate] * b.Spread[c.Candidate]
		if want := v * v / (v + 1) / 14; math.Abs(c.Gain-want) > 1e-12 {
			t.Errorf("row %d: %v, want %v", c.Candidate, c.Gain, want)
		}
	}
}

// A gain under two beliefs is the mean by their weights. The share that is learned is one of their
// mean variance.
func TestWeights(t *testing.T) {
	all := []Beliefs{alone(0.25, 0, 1, 2), alone(0.75, 0, 3, 1)}
	for _, c := range chosen(t, all, 2, Options{Goal: Goal{Aim: Learn}}) {
		total := 0.25*(1+4) + 0.75*(9+1)
		want := []float64{(0.25*1 + 0.75*9) / total, (0.25*4 + 0.75*1) / total}[c.Candidate]
		if math.Abs(c.Gain-want) > 1e-12 {
			t.Errorf("learning, row %d: %v, want %v", c.Candidate, c.Gain, want)
		}
	}
	search := Goal{Aim: Minimum}
	for i := range all {
		all[i].Mean = append(all[i].Mean, 0.5) // a measured row
	}
	for _, c := range chosen(t, all, 2, Options{Goal: search}) {
		i := c.Candidate
		want := 0.25*search.improvement(0.5, 0, all[0].Spread[i]) +
			0.75*search.improvement(0.5, 0, all[1].Spread[i])
		if math.Abs(c.Gain-want) > 1e-12 {
			t.Errorf("searching, row %d: %v, want %v", i, c.Gain, want)
		}
	}
}

// The weight goes to the prediction under which rows are likelier, and neither ever loses it all.
func TestStacked(t *testing.T) {
	same, better, worse := make([]float64, 20), make([]float64, 20), make([]float64, 20)
	for i := range same {
		better[i], worse[i] = 5, -5
	}
	if w := stacked(same, same); math.Abs(w-0.5) > 1e-6 {
		t.Errorf("equal predictions: %v", w)
	}
	if w := stacked(same, better); w < 0.9 || w >= 1 {
		t.Errorf("a better one: %v", w)
	}
	if w := stacked(same, worse); w > 0.1 || w <= 0 {
		t.Errorf("a worse one: %v", w)
	}
	half := append(append([]float64{}, better[:10]...), worse[:10]...)
	if w := stacked(same, half); math.Abs(w-0.5) > 0.02 {
		t.Errorf("better at every other row: %v", w)
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
