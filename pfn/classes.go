package pfn

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/pfnamp/pfnamp/distr"
	"github.com/pfnamp/pfnamp/models"
)

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
		return 0, &LimitError{What: "classes", Got: count, Min: 2, Max: most, Model: m.Name()}
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
func (c *Context) PredictClasses(ctx context.Context, x Matrix) ([]distr.Classes, error) {
	if !c.model.Classifier() {
		return nil, &TaskError{Model: c.model.Name()}
	}
	results, err := c.Results(ctx, x, false)
	if err != nil {
		return nil, err
	}
	rows := make([]distr.Classes, len(results))
	for i, r := range results {
		rows[i] = r.Classes
	}
	return rows, nil
}

// classHead reads logits of classes. Every member has its own order of the classes.
type classHead struct {
	most          int // most classes of the network
	temperature   float64
	probabilities bool // members are averaged by probabilities, not by logits
	balanced      bool // probabilities are divided by the shares of the classes
}

func classesOf(m *models.Manifest) head {
	if m.Head.Kind != models.ClassHead {
		return nil
	}
	return classHead{m.Head.Levels, m.Classes.Temperature,
		m.Classes.Average == models.AverageProbabilities, m.Classes.Balanced}
}

func (h classHead) output() output { return output{models.LogitsOutput, []int{h.most}} }

func (h classHead) combiner(members ensemble, _ target) combiner {
	shares, power := []float64(nil), 1.0
	switch e := members.(type) {
	case tabpfnEnsemble:
		if h.balanced {
			shares = e.shares()
		}
	case tabiclEnsemble:
		shares, power = e[0].Shares, 1/h.temperature-1
	}
	softmax := func(z []float64) []float64 { return distr.Softmax(z, h.temperature) }
	before, after := func(z []float64) []float64 { return z }, softmax // averaging members
	if h.probabilities {
		before, after = after, before
	}
	return func(logits [][]float32, w weighing) part {
		mean := distr.Classes(after(meanOf(members, logits, before)))
		return mixed(mixed(balanced(mean, shares, power), w.scores, treeShare), w.line, w.share)
	}
}

// balanced divides the probabilities by the shares of the classes to a power, if there are any.
func balanced(p distr.Classes, shares []float64, power float64) distr.Classes {
	var sum float64
	for k, share := range shares {
		p[k] /= math.Pow(share, power)
		sum += p[k]
	}
	for k := range shares {
		p[k] /= sum
	}
	return p
}

// meanOf averages a function of the members' logits of one row, in the order of the classes 0..K-1.
func meanOf(members ensemble, logits [][]float32, of func(z []float64) []float64) []float64 {
	mean := make([]float64, len(members.order(0)))
	for b, raw := range logits {
		own := make([]float64, len(mean))
		for k, seen := range members.order(b) {
			own[k] = float64(raw[seen])
		}
		for k, v := range of(own) {
			mean[k] += v / float64(len(logits))
		}
	}
	return mean
}

// alone returns the share of every class among the rows of the table.
func (h classHead) alone(t *table) part {
	return distr.Shares(t.Y, t.classes)
}

func (h classHead) restore(data []byte) (part, error) {
	var shares distr.Classes
	err := decodeState(data, &shares)
	return shares, err
}
