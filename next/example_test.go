package next_test

import (
	"fmt"
	"log"

	"github.com/pfnamp/pfnamp/next"
)

// Three candidates and one measured row. Candidates 0 and 1 are nearly the same row, so a batch
// of two takes one of them and candidate 2.
func Example() {
	b := next.Beliefs{
		Weight: 1,
		Mean:   []float64{1, 1.01, 1.5, 2}, // the last row is measured: 2 is to be improved on
		Spread: []float64{1, 1, 1, 0},
		Noise:  0.1,
		Correlation: func(i, j int) float64 {
			if i < 2 && j < 2 {
				return 0.999
			}
			return 0
		},
	}
	goal, err := next.ParseGoal("minimum")
	if err != nil {
		log.Fatal(err)
	}
	choices, err := next.Choose([]next.Beliefs{b}, 3, next.Options{Goal: goal, Batch: 2})
	if err != nil {
		log.Fatal(err)
	}
	for _, choice := range choices {
		fmt.Printf("measure row %d, expected gain %.1f\n", choice.Candidate, choice.Gain)
	}
	// Output:
	// measure row 0, expected gain 1.1
	// measure row 2, expected gain 0.2
}
