package trend

import (
	"math"
	"math/rand/v2"
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

// TestOddsOfNoise: where no trend explains anything, log odds have a larger share.
func TestOddsOfNoise(t *testing.T) {
	x, y := linearTable(300, 3, 1)
	classes := classesOf(y, 2)
	for _, name := range []string{"line", "noise"} {
		want := oddsShare
		if name == "noise" {
			want = blindShare
			rand.New(rand.NewPCG(1, 2)).Shuffle(len(classes), func(i, j int) {
				classes[i], classes[j] = classes[j], classes[i]
			})
		}
		s, _ := Fit(kinds, Features{Matrix: x}, classes, 2)
		if odds, share := s.LogOdds(x); odds.Cols != 1 || share != want {
			t.Errorf("%s: %d columns of log odds with the share %g, want %g", name, odds.Cols, share, want)
		}
	}
}
