package drift_test

import (
	"fmt"
	"log"
	"math/rand/v2"

	"github.com/pfnamp/pfnamp/drift"
)

// normals are rows of two normal features, the first of them shifted.
func normals(seed uint64, rows int, shift float64) drift.Matrix {
	random := rand.New(rand.NewPCG(seed, 1))
	m := drift.Matrix{Rows: rows, Cols: 2}
	for range rows {
		m.Data = append(m.Data, shift+random.NormFloat64(), random.NormFloat64())
	}
	return m
}

// A batch whose first column moved by one standard deviation, and one that did not move.
func Example() {
	context := normals(1, 300, 0)
	for _, shift := range []float64{1, 0} {
		r, err := drift.Compare(context, normals(2, 200, shift), []bool{false, false}, 1)
		if err != nil {
			log.Fatal(err)
		}
		fmt.Printf("differs: %t, AUC %.1f\n", r.P < 0.01, r.AUC)
	}
	// Output:
	// differs: true, AUC 0.7
	// differs: false, AUC 0.5
}

// Small p-values, one after the other, make the martingale grow. It passes 100 by chance at most
// once in a hundred batches.
func ExampleMartingale() {
	var m drift.Martingale
	for range 20 {
		m.Add(0.01)
	}
	fmt.Println(m.Most() > 100)
	// Output:
	// true
}
