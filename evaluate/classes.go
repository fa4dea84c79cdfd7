package evaluate

import (
	"fmt"

	"github.com/pfnamp/pfnamp/distr"
)

// ClassPredictions makes predictions of probabilities by row; classes lists where the k-th
// probability of a row belongs among all count classes, nil meaning that all are there. It fails as
// distr.NewClasses does.
func ClassPredictions[P ~[]float64](rows []P, classes []int, count int) (Prediction, error) {
	p := Prediction{PPDs: make([]PPD, len(rows))}
	for i, row := range rows {
		all := make([]float64, count)
		for k, q := range row {
			if classes != nil {
				k = classes[k]
			}
			all[k] = q
		}
		law, err := distr.NewClasses(all)
		if err != nil {
			return p, fmt.Errorf("row %d: %w", i+1, err)
		}
		p.PPDs[i] = law
	}
	return p, nil
}

// Present lists the classes that a table has, ascending, and returns the table with these numbered
// from 0.
func (d Data) Present(count int) (classes []int, numbered Data) {
	place := make([]int, count)
	for _, y := range d.Y {
		place[int(y)] = 1
	}
	for k, there := range place {
		if place[k] = len(classes); there > 0 {
			classes = append(classes, k)
		}
	}
	numbered = d
	numbered.Y = make([]float64, len(d.Y))
	for i, y := range d.Y {
		numbered.Y[i] = float64(place[int(y)])
	}
	return classes, numbered
}
