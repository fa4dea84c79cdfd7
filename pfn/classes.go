package pfn

import (
	"context"
	"fmt"
	"math"
	"slices"
)

// Classes is the predictive distribution of the class of one query row: the probabilities of the
// classes 0, 1, ..., K-1, in [0, 1] and with sum 1.
type Classes []float64

// Best returns the most probable class, the first one of equals.
func (p Classes) Best() int {
	best := 0
	for k, v := range p {
		if v > p[best] {
			best = k
		}
	}
	return best
}

// Classifier reports whether the model predicts classes with PredictClasses, rather than numbers
// with Predict.
func (m *Model) Classifier() bool { return m.bundle.Manifest.Classifier() }

// countClasses returns the number K of classes of a target. They must be 0..K-1, each with at least
// one row, and at most as many as the model supports.
func (m *Model) countClasses(y []float64) (int, error) {
	most := m.bundle.Manifest.MostClasses()
	rows := map[int]int{}
	for i, v := range y {
		if v != math.Trunc(v) || v < 0 || v >= float64(len(y)) {
			return 0, &InputError{Table: "context", Row: i, Col: -1, Msg: fmt.Sprintf(
				"the target is %g, but %s needs a class 0, 1, ...", v, m.Name())}
		}
		rows[int(v)]++
	}
	count := int(slices.Max(y)) + 1
	for k := range count {
		if rows[k] == 0 {
			return 0, &InputError{Table: "context", Row: -1, Col: -1, Msg: fmt.Sprintf(
				"no row has the class %d, but a row has %d; number the classes 0, 1, ...", k, count-1)}
		}
	}
	if count < 2 || count > most {
		return 0, &LimitError{What: "classes", Got: count, Min: 2, Max: most, Model: m.Name(),
			Again: m.bundle.Manifest.ExportAgain()}
	}
	return count, nil
}

// PredictClasses returns the class probabilities of every query row, in order. Let z_b be the
// logits of member b, which sees class k as π_b(k), and T the temperature of the bundle. If the
// bundle averages logits, the probability of class k is
//
//	p_k ∝ exp(z̄_k/T),  z̄_k = (1/B) Σ_b z_b[π_b(k)],
//
// and if it averages probabilities
//
//	p_k = (1/B) Σ_b p_bk,  p_bk ∝ exp(z_b[π_b(k)]/T).
//
// If there are more classes than outputs, z_b is T log(q + 1e-6). Then q is the product of the
// probabilities on the way to the class in a tree of groups of neighbouring classes
// (docs/reference/bundle.md).
//
// If no feature varies, the probability is the share of the class among the context rows. A row's
// probabilities do not depend on the other rows of the call, to the last bit on a CPU. It fails
// with a *TaskError if the model predicts numbers, and with the errors of Predict.
//
// Source: TabICLClassifier.predict_proba of soda-inria/tabicl 2.2 with its defaults, and
// TabPFNClassifier.predict_proba of PriorLabs/TabPFN 2.0.9 and 8.4.0.
func (c *Context) PredictClasses(ctx context.Context, x Matrix) ([]Classes, error) {
	if !c.model.Classifier() {
		return nil, &TaskError{Model: c.model.Name()}
	}
	results, err := c.Results(ctx, x, false)
	if err != nil {
		return nil, err
	}
	rows := make([]Classes, len(results))
	for i, r := range results {
		rows[i] = r.Classes
	}
	return rows, nil
}
