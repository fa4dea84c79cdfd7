package folds_test

import (
	"fmt"
	"log"

	"github.com/pfnamp/pfnamp/folds"
)

// Six visits of three patients: all visits of a patient are in one fold, so that the model never
// predicts a patient whom it has read.
func Example() {
	plan := folds.Plan{Count: 3, Seed: 1, Groups: []int{0, 0, 1, 1, 2, 2}}
	all, err := plan.Folds()
	if err != nil {
		log.Fatal(err)
	}
	for _, fold := range all {
		fmt.Println("read", fold.Read, "predict", fold.Held)
	}
	// Output:
	// read [2 3 4 5] predict [0 1]
	// read [0 1 2 3] predict [4 5]
	// read [0 1 4 5] predict [2 3]
}

// The past predicts the future: every model reads the rows before those that it predicts.
func ExampleRolling() {
	all, err := folds.Rolling([]float64{1, 2, 3, 4, 5, 6}, 2, 0.34)
	if err != nil {
		log.Fatal(err)
	}
	for _, fold := range all {
		fmt.Println("read", fold.Read, "predict", fold.Held)
	}
	// Output:
	// read [0 1] predict [2 3]
	// read [0 1 2 3] predict [4 5]
}
