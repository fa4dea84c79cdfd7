package warning_test

import (
	"fmt"

	"github.com/pfnamp/pfnamp/warning"
)

// A warning is a type with facts, and a sentence for people.
func Example() {
	list := []warning.Warning{
		warning.NoFeature{},
		warning.UnseenCategories{Column: "town", Cells: 3, File: "train.csv"},
	}
	for _, w := range list {
		if unseen, ok := w.(warning.UnseenCategories); ok {
			fmt.Println(unseen)
			fmt.Println(unseen.Column, unseen.Cells)
		}
	}
	// Output:
	// column "town": 3 cells with a category that train.csv does not have, treated as unknown
	// town 3
}

// The numbers 0 and 1 look like codes of two classes.
func ExampleFewValuesOf() {
	w, few := warning.FewValuesOf([]float64{0, 1, 1, 0, 1})
	fmt.Println(few, w.Values)
	// Output:
	// true [0 1]
}
