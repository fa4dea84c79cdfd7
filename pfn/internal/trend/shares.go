package trend

import (
	"gonum.org/v1/gonum/floats"

	"github.com/pfnamp/pfnamp/internal/matrix"
)

// MaxClasses is the most classes of whose shares there are trends.
const MaxClasses = 10

// ShareColumns is the number of columns that a trend of so many classes has.
func ShareColumns(classes int) int {
	if classes == 2 {
		return 1
	}
	return classes
}

// Of a classifier members read the kernel's shares instead of those of lines if it leaves less than
// shareGain of the squares that these leave of manyRows or more. With fewer rows what several kinds
// say is better together.
const (
	shareGain = 0.9
	manyRows  = 400
)

// fitShares learns a trend from features z [N, H] and classes 0..K-1, and returns with it the
// columns [N, K or 1] of the context rows, and the sum of the squares of what they leave.
func fitShares(
	kind string, z matrix.Matrix, y []float64, classes int,
) (trend *Trend, shares matrix.Matrix, left float64) {
	shares = matrix.New(z.Rows, ShareColumns(classes))
	means, centred := make([]float64, shares.Cols), make([][]float64, shares.Cols)
	for k := range centred {
		centred[k] = make([]float64, len(y))
		for i, class := range y {
			if int(class) == k+classes-shares.Cols {
				centred[k][i] = 1
				means[k] += 1 / float64(len(y))
			}
		}
		floats.AddConst(-means[k], centred[k])
	}
	var suited *columns
	if kind == Kernel {
		found, _ := suitedColumns(z, centred)
		suited = &found
	}
	l := newLearner(z, suited)
	for k, mean := range means {
		for i, e := range l.add(mean, centred[k], 0).left {
			shares.Data[i*shares.Cols+k] = mean + centred[k][i] - e
			left += e * e
		}
	}
	return l.trend, shares, left
}
