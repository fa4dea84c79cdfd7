package trend

import (
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/stat"

	"github.com/pfnamp/pfnamp/internal/matrix"
)

// classesOf cuts a target into classes of nearly equal size.
func classesOf(y []float64, classes int) []float64 {
	sorted := slices.Sorted(slices.Values(y))
	out := make([]float64, len(y))
	for i, v := range y {
		rank, _ := slices.BinarySearch(sorted, v)
		out[i] = float64(rank * classes / len(y))
	}
	return out
}

// A context row's share is the ridge regression without the row, but for the means of all rows.
func TestSharesLeaveOneRowOut(t *testing.T) {
	z, target := linearTable(40, 2, 0.5)
	y := classesOf(target, 2)
	fitted := fitShares(Linear, Features{Matrix: z}, y, 2)
	shares, columns := fitted.trend, fitted.columns
	if columns.Cols != 1 {
		t.Fatalf("%d columns of two classes", columns.Cols)
	}
	a, b := minus(z.Column(nil, 0), stat.Mean(z.Column(nil, 0), nil)),
		minus(z.Column(nil, 1), stat.Mean(z.Column(nil, 1), nil))
	mean := stat.Mean(y, nil)
	centred := minus(y, mean)
	penalty := penaltyOf(shares.Weights[0], a, b, y)
	for _, i := range []int{0, 11, 39} {
		w := twoSlopes(without(a, i), without(b, i), without(centred, i), penalty)
		want := mean + w[0]*a[i] + w[1]*b[i]
		if got := columns.Data[i]; math.Abs(got-want) > 1e-9 {
			t.Errorf("row %d: share %g, without the row %g", i, got, want)
		}
	}
}

// The shares of rows whose features say nothing do not tell their classes: a mean without the row
// would tell all of them, with a correlation of -1.
func TestSharesKeepSecrets(t *testing.T) {
	for k := range 6 {
		kind, classes := kinds[k%2], []int{2, 3, 10}[k/2]
		z, _ := linearTable(300, 3, 0)
		_, noise := linearTable(300, 4, 9)
		y := classesOf(noise, classes)
		columns := fitShares(kind, Features{Matrix: z}, y, classes).columns
		for k := range columns.Cols {
			indicator := make([]float64, len(y))
			for i, class := range y {
				if int(class) == k+classes-columns.Cols {
					indicator[i] = 1
				}
			}
			if r := stat.Correlation(columns.Column(nil, k), indicator, nil); math.Abs(r) > 0.5 {
				t.Errorf("%s, %d classes, column %d: correlation %.2f with the class", kind, classes, k, r)
			}
		}
	}
}

// Shares of classes that a line separates order the rows. Their sum is only nearly one, because
// every class has a penalty of its own.
func TestSharesOfClasses(t *testing.T) {
	z, target := linearTable(200, 3, 0.1)
	y := classesOf(target, 3)
	fitted := fitShares(Linear, Features{Matrix: z}, y, 3)
	shares, columns := fitted.trend, fitted.columns
	for _, c := range []matrix.Matrix{columns, shares.at(z)} {
		right := 0
		for i := range y {
			row, sum := c.Row(i), 0.0
			for _, v := range row {
				sum += v
			}
			if math.Abs(sum-1) > 0.2 {
				t.Errorf("row %d: shares %g", i, row)
			}
			if (row[2] > row[0]) == (y[i] == 2) || y[i] == 1 {
				right++
			}
		}
		if right < 190 {
			t.Errorf("%d of 200 rows are on the right side", right)
		}
	}
}
