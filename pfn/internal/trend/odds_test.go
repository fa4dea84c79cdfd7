package trend

import (
	"math"
	"testing"

	"github.com/pfnamp/pfnamp/internal/matrix"
)

// TestOddsOfManyColumns: there are none, as their regression would take long.
func TestOddsOfManyColumns(t *testing.T) {
	_, y := linearTable(100, 1, 1)
	for columns, want := range map[int]bool{5: true, 2001: false} {
		wide := Features{Matrix: matrix.New(100, columns)}
		if odds, _ := fitOdds(wide, classesOf(y, 2), 2, nil); (odds != nil) != want {
			t.Errorf("log odds of %d columns: %t", columns, odds != nil)
		}
	}
}

// TestOddsBesideTrees: they stay where they leave less than trees.
func TestOddsBesideTrees(t *testing.T) {
	x, y := linearTable(300, 3, 1)
	z, y := Features{Matrix: x}, classesOf(y, 2)
	_, left := fitOdds(z, y, 2, nil)
	own := math.Sqrt(left / 300)
	for told, want := range map[float64]bool{0: true, 0.999 * own: false, 1.001 * own: true} {
		z.Told = told
		s, _ := Fit(kinds, z, y, 2)
		if odds := s.By[Odds]; (odds != nil) != want {
			t.Errorf("trees leave %.4f, log odds %.4f, which stay: %t", told, own, odds != nil)
		}
	}
}
