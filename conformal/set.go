package conformal

import "slices"

// Strangeness is the score of a class: the probability of all classes that the model finds more
// probable. It is 0 for the most probable one. Classes of the same probability have the same score.
func Strangeness(probabilities []float64, class int) float64 {
	var above []float64
	for _, p := range probabilities {
		if p > probabilities[class] {
			above = append(above, p)
		}
	}
	slices.Sort(above) // the sum must not depend on the order of the classes
	sum := 0.0
	for _, p := range above {
		sum += p
	}
	return sum
}

// Usual reports whether a class belongs to the set of a row of a group. scores[k] is the score of
// the class under the model without fold k. The class belongs to the set if fewer than (1-α)(n+1)
// rows i of the group have a smaller score than the class has under the model without the fold of
// i.
func (c *Calibration) Usual(group int, scores []float64) bool {
	below := 0
	for k, sorted := range c.scores[group] {
		n, _ := slices.BinarySearch(sorted, scores[k])
		below += n
	}
	return below < c.rank(group)
}
