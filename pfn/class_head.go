package pfn

import (
	"fmt"
	"math"
	"slices"

	"github.com/pfnamp/pfnamp/models"
)

// classHead is logits of classes, each member's in its own order of them.
type classHead struct {
	most        int // classes that the network tells apart
	temperature float64
}

func classesOf(m *models.Manifest) head {
	if m.Head.Kind != models.ClassHead {
		return nil
	}
	return classHead{m.Head.Levels, m.Classes.Temperature}
}

// classEnsemble is what an ensemble is to classes.
type classEnsemble interface {
	order(member int) []int // a member sees class k as order[k]
}

func (h classHead) output() output { return output{models.LogitsOutput, []int{h.most}} }

func (h classHead) combiner(e ensemble, _ target) combiner {
	members := e.(classEnsemble)
	return func(logits [][]float32) any { return h.softmax(meanLogits(members, logits)) }
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

// softmax is exp(z_k/T)/Σ exp(z_j/T), T the temperature of the bundle.
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

// alone is the share of every class among the rows of the table.
func (h classHead) alone(t *table) any {
	shares := make(Classes, t.classes)
	for _, k := range t.Y {
		shares[int(k)] += 1 / float64(len(t.Y))
	}
	return shares
}

func (h classHead) restore(data []byte, t target) (any, error) {
	var shares Classes
	if err := decodeState(data, &shares); err != nil {
		return nil, err
	}
	if len(shares) != t.classes {
		return nil, fmt.Errorf("shares of %d classes of %d", len(shares), t.classes)
	}
	sum := 0.0
	for _, share := range shares {
		if !(share > 0) {
			return nil, fmt.Errorf("a share of a class is %g", share)
		}
		sum += share
	}
	if math.Abs(sum-1) > 1e-9 {
		return nil, fmt.Errorf("the shares of the classes have the sum %g", sum)
	}
	return shares, nil
}
