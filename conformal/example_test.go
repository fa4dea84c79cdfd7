package conformal_test

import (
	"fmt"

	"github.com/pfnamp/pfnamp/conformal"
)

// Labels spread evenly over 0 to 39. A model says 18.5 to 20.5 for every row, which is far too
// narrow. The misses widen the interval until it holds at least nine of ten labels.
func Example() {
	const level, rows, folds = 0.9, 40, 4
	says := conformal.Interval{Lo: 18.5, Hi: 20.5}
	foldOf, groups := make([]int, rows), make([]int, rows)
	scores := make([]float64, rows)
	for i := range rows {
		foldOf[i] = i % folds
		scores[i] = says.Miss(float64(i * 7 % 40))
	}
	c := conformal.NewCalibration(level, folds, foldOf, groups, scores)
	central := []conformal.Interval{says, says, says, says} // the model without each fold
	in := c.Interval(0, central)
	fmt.Printf("%.1f to %.1f\n", in.Lo, in.Hi)
	fmt.Printf("guaranteed: %.2f\n", c.Guarantee(0))
	fmt.Printf("rows that 90 %% needs: %d\n", conformal.LeastRows(level))
	// Output:
	// 1.0 to 38.0
	// guaranteed: 0.66
	// rows that 90 % needs: 9
}
