package pfn_test

import (
	"context"
	"fmt"
	"log"
	"math"

	"github.com/pfnamp/pfnamp/models"
	"github.com/pfnamp/pfnamp/pfn"
)

// Predict three query rows from forty labelled rows of a noisy line with the embedded model.
func Example() {
	ctx := context.Background()
	bundle, err := models.Default()
	if err != nil {
		log.Fatal(err)
	}
	model, err := pfn.Open(bundle, pfn.Options{})
	if err != nil {
		log.Fatal(err)
	}
	defer model.Close()
	train := pfn.Training{X: pfn.Matrix{Rows: 40, Cols: 1}}
	for i := range 40 {
		x := float64(i)
		train.X.Data = append(train.X.Data, x)
		train.Y = append(train.Y, 0.2*x+0.2*math.Sin(10*x))
	}
	train.X.Data[7] = math.NaN() // missing
	c, err := model.Fit(ctx, train)
	if err != nil {
		log.Fatal(err)
	}
	defer c.Close()
	ppds, err := c.Predict(ctx, pfn.Matrix{Rows: 3, Cols: 1, Data: []float64{10, 20, 30}})
	if err != nil {
		log.Fatal(err)
	}
	for _, d := range ppds {
		fmt.Printf("mean %.0f, P(Y > 5) = %.1f\n", d.Mean(), 1-d.CDF(5))
	}
	// Output:
	// mean 2, P(Y > 5) = 0.0
	// mean 4, P(Y > 5) = 0.0
	// mean 6, P(Y > 5) = 1.0
}
