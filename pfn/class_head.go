package pfn

import (
	"fmt"
	"math"
	"slices"

	"github.com/pfnamp/pfnamp/models"
)

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

// classEnsemble is an ensemble of classifiers.
type classEnsemble interface {
	order(member int) []int // a member sees class k as order[k]
}

func (h classHead) output() output { return output{models.LogitsOutput, []int{h.most}} }

func (h classHead) combiner(e ensemble, _ target) combiner {
	members, average := e.(classEnsemble), h.ofMeanLogits
	if h.probabilities {
		average = h.meanOfSoftmax
	}
	var shares []float64
	if h.balanced {
		shares = e.(countedClasses).shares()
	}
	return func(logits [][]float32, _ weighing) part {
		return average(members, logits).balanced(shares)
	}
}

// countedClasses is an ensemble that knows the shares of the classes in its rows.
type countedClasses interface{ shares() []float64 }

// ofMeanLogits returns the softmax of the members' mean logits.
func (h classHead) ofMeanLogits(members classEnsemble, logits [][]float32) Classes {
	return h.softmax(meanLogits(members, logits))
}

// meanOfSoftmax averages the softmax of every member.
func (h classHead) meanOfSoftmax(members classEnsemble, logits [][]float32) Classes {
	p := make(Classes, len(members.order(0)))
	for b, raw := range logits {
		own := make([]float64, len(p))
		for k, seen := range members.order(b) {
			own[k] = float64(raw[seen])
		}
		for k, v := range h.softmax(own) {
			p[k] += v / float64(len(logits))
		}
	}
	return p
}

// balanced divides the probabilities by the shares of the classes, if there are any.
func (p Classes) balanced(shares []float64) Classes {
	var sum float64
	for k, share := range shares {
		p[k] /= share
		sum += p[k]
	}
	for k := range shares {
		p[k] /= sum
	}
	return p
}

// meanLogits averages the logits of one row in the order of the classes 0..K-1.
func meanLogits(members classEnsemble, logits [][]float32) []float64 {
	mean := make([]float64, len(members.order(0)))
	for b, raw := range logits {
		for k, seen := range members.order(b) {
			mean[k] += float64(raw[seen]) / float64(len(logits))
		}
	}
	return mean
}

// softmax returns exp(z_k/T)/Σ exp(z_j/T), with the bundle's temperature T.
func (h classHead) softmax(logits []float64) Classes {
	p, sum := make(Classes, len(logits)), 0.0
	most := slices.Max(logits)
	for k, z := range logits {
		p[k] = math.Exp((z - most) / h.temperature)
		sum += p[k]
	}
	for k := range p {
		p[k] /= sum
	}
	return p
}

// alone returns the share of every class among the rows of the table.
func (h classHead) alone(t *table) part {
	return sharesOf(t.Y, t.classes)
}

// sharesOf returns the shares of the classes 0, 1, ... in a target.
func sharesOf(y []float64, classes int) Classes {
	shares := make(Classes, classes)
	for _, k := range y {
		shares[int(k)] += 1 / float64(len(y))
	}
	return shares
}

func (h classHead) restore(data []byte, t target) (part, error) {
	var shares Classes
	if err := decodeState(data, &shares); err != nil {
		return nil, err
	}
	if len(shares) != t.classes {
		return nil, fmt.Errorf("the state has shares of %d classes, not of %d", len(shares), t.classes)
	}
	sum := 0.0
	for _, share := range shares {
		if !(share > 0) {
			return nil, fmt.Errorf("the share of a class is %g", share)
		}
		sum += share
	}
	if math.Abs(sum-1) > 1e-9 {
		return nil, fmt.Errorf("the shares of the classes sum to %g, not to 1", sum)
	}
	return shares, nil
}
