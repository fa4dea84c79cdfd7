package evaluate

import (
	"fmt"
	"math"

	"github.com/pfnamp/pfnamp/distr"
)

// ClassPPD is the predictive distribution of a class as a [PPD] on the numbers 0..K-1 of the
// classes. What concerns classes is read off its probabilities; CRPS and mean depend on the order
// of the classes.
type ClassPPD struct{ distr.Classes }

// LogDensity returns the logarithm of the probability of a class.
func (p ClassPPD) LogDensity(y float64) float64 { return math.Log(p.Classes[int(y)]) }

// CRPS returns the ranked probability score Σ_k (F(k) - 1{y <= k})² (Epstein 1969).
func (p ClassPPD) CRPS(y float64) float64 {
	sum, cumulative := 0.0, 0.0
	for k, q := range p.Classes[:len(p.Classes)-1] {
		cumulative += q
		miss := cumulative
		if y <= float64(k) {
			miss--
		}
		sum += miss * miss
	}
	return sum
}

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
		p.PPDs[i] = ClassPPD{law}
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
