package warning_test

import (
	"fmt"

	"github.com/pfnamp/pfnamp/warning"
)

// The numbers 0 and 1 look like codes of two classes.
func ExampleFewValuesOf() {
	w, few := warning.FewValuesOf([]float64{0, 1, 1, 0, 1})
	fmt.Println(few, w.Kind == warning.FewValues, w.Values)
	// Output:
	// true true [0 1]
}
