package next_test

import (
	"fmt"
	"log"
	"math/rand/v2"

	"github.com/pfnamp/pfnamp/next"
)

// Three candidates and one measured row. Candidates 0 and 1 are nearly the same row, so a batch
// of two takes one of them and candidate 2.
func Example() {
	b := next.Beliefs{
		Mean:   []float64{1, 1.01, 1.5, 2}, // the last row is measured: 2 is to be improved on
		Spread: []float64{1, 1, 1, 0},
		Noise:  []float64{0.1, 0.1, 0.1, 0.1},
		Scores: make([][]float64, 4),
	}
	random := rand.New(rand.NewPCG(1, 2))
	for range next.Draws {
		z := random.NormFloat64()
		b.Scores[0] = append(b.Scores[0], z)
		b.Scores[1] = append(b.Scores[1], z)
		b.Scores[2] = append(b.Scores[2], random.NormFloat64())
		b.Scores[3] = append(b.Scores[3], random.NormFloat64())
	}
	goal, err := next.ParseGoal("minimum")
	if err != nil {
		log.Fatal(err)
	}
	for _, choice := range next.Choose(b, 3, next.Options{Goal: goal, Batch: 2}) {
		fmt.Printf("measure row %d, expected gain %.1f\n", choice.Candidate, choice.Gain)
	}
	// Output:
	// measure row 0, expected gain 1.1
	// measure row 2, expected gain 0.2
}
