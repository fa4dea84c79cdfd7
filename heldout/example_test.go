package heldout_test

import (
	"context"
	"fmt"
	"log"
	"math"

	"github.com/pfnamp/pfnamp/folds"
	"github.com/pfnamp/pfnamp/heldout"
	"github.com/pfnamp/pfnamp/models"
	"github.com/pfnamp/pfnamp/pfn"
)

// Predictive intervals with a guarantee, from forty rows of a noisy line in four folds.
func Example() {
	ctx := context.Background()
	bundle, err := models.Default()
	if err != nil {
		log.Fatal(err)
	}
	model, err := pfn.Open(bundle, pfn.Options{Members: 1})
	if err != nil {
		log.Fatal(err)
	}
	defer model.Close()
	rows := pfn.Training{X: pfn.Matrix{Rows: 40, Cols: 1}}
	for i := range 40 {
		x := float64(i)
		rows.X.Data = append(rows.X.Data, x)
		rows.Y = append(rows.Y, 2*x+3*math.Sin(10*x))
	}
	table := heldout.Table{Model: model, Rows: rows, Target: heldout.Numbers{}}
	c, err := table.Conformal(ctx, heldout.Promise{
		Level:  0.9,
		Groups: heldout.Groups{Of: make([]int, 40)}, // all rows together
		Plan:   folds.Plan{Count: 4, Seed: 1, Strata: make([]int, 40)},
	})
	if err != nil {
		log.Fatal(err)
	}
	defer c.Close()
	in, err := c.Intervals(ctx, pfn.Matrix{Rows: 1, Cols: 1, Data: []float64{20}}, []int{0})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("the interval holds 40:", in[0].Lo < 40 && 40 < in[0].Hi)
	fmt.Printf("%d folds, guaranteed %.2f\n", c.Folds(), c.Guarantee())
	// Output:
	// the interval holds 40: true
	// 4 folds, guaranteed 0.66
}
