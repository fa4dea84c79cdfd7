package trend

import (
	"testing"

	"github.com/pfnamp/pfnamp/internal/matrix"
)

// TestOddsOfManyColumns: there are none, as their regression would take long.
func TestOddsOfManyColumns(t *testing.T) {
	_, y := linearTable(100, 1, 1)
	for columns, want := range map[int]bool{5: true, 2001: false} {
		wide := Features{Matrix: matrix.New(100, columns)}
		if odds, _ := fitOdds(wide, classesOf(y, 2), 2); (odds != nil) != want {
			t.Errorf("log odds of %d columns: %t", columns, odds != nil)
		}
	}
}
