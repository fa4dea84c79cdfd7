package pfn_test

import (
	"context"
	"fmt"
	"log"
	"math"

	"github.com/pfnamp/pfnamp/models"
	"github.com/pfnamp/pfnamp/pfn"
)

// Predict three query rows from six labelled rows with the embedded model.
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
	c, err := model.Fit(ctx, pfn.Training{
		X: pfn.Matrix{Rows: 6, Cols: 1, Data: []float64{1, 2, 3, 4, math.NaN(), 6}},
		Y: []float64{2.1, 3.9, 6.2, 7.8, 9.9, 12.1},
	})
	if err != nil {
		log.Fatal(err)
	}
	defer c.Close()
	ppds, err := c.Predict(ctx, pfn.Matrix{Rows: 3, Cols: 1, Data: []float64{1.5, 3.5, 5.5}})
	if err != nil {
		log.Fatal(err)
	}
	for _, d := range ppds {
		fmt.Printf("mean %.1f, 90 %% of labels in %.1f..%.1f\n",
			d.Mean(), d.Quantile(0.05), d.Quantile(0.95))
	}
}

// A distribution of nine quantiles: uniform on 0..10 between its exponential tails.
func ExampleQuantiles() {
	d := pfn.Quantiles{
		Knots: []float64{1, 2, 3, 4, 5, 6, 7, 8, 9}, // at the levels 0.1 to 0.9
		Left:  0.5, Right: 0.5,
		Location: 0, Scale: 1,
	}
	fmt.Printf("median %.2f, mean %.2f\n", d.Quantile(0.5), d.Mean())
	fmt.Printf("P(Y <= 7.5) = %.2f\n", d.CDF(7.5))
	fmt.Printf("90 %% predictive interval %.2f..%.2f\n", d.Quantile(0.05), d.Quantile(0.95))
	fmt.Printf("CRPS at 7.5 = %.3f\n", d.CRPS(7.5))
	// Output:
	// median 5.00, mean 5.00
	// P(Y <= 7.5) = 0.75
	// 90 % predictive interval 0.65..9.35
	// CRPS at 7.5 = 1.457
}
