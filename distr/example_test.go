package distr_test

import (
	"fmt"

	"github.com/pfnamp/pfnamp/distr"
)

// A distribution of nine quantiles: uniform on 0..10 between its exponential tails.
func ExampleQuantiles() {
	d := distr.Quantiles{
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
