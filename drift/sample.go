package drift

import (
	"math"
	"math/rand/v2"
	"slices"

	"github.com/pfnamp/pfnamp/internal/matrix"
)

// Matrix holds encoded features row by row. NaN is a missing number; a code below 0 is a missing or
// new category.
type Matrix = matrix.Matrix

// mostRows bounds the rows of a side that are compared; more are drawn at random.
const mostRows = 20_000

// stream is the random stream of everything that is drawn here.
const stream = 0x4472_6966_7400_0001

// thinned is a sample of at most so many rows, in their order, with their places.
func thinned(random *rand.Rand, x Matrix, most int) (Matrix, []int) {
	rows := matrix.Upto(x.Rows)
	if x.Rows > most {
		rows = random.Perm(x.Rows)[:most]
		slices.Sort(rows)
	}
	return x.Take(rows), rows
}

// known tells whether a cell of a column holds a value.
func known(categorical bool, v float64) bool { return !math.IsNaN(v) && !(categorical && v < 0) }

// isCategory tells whether a column holds codes.
func isCategory(categorical []bool, j int) bool { return j < len(categorical) && categorical[j] }
