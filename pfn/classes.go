package pfn

import (
	"context"
	"fmt"
	"math"
	"slices"

	"golang.org/x/sync/errgroup"

	"github.com/pfnamp/pfnamp/pfn/internal/tabicl"
)

// Classes is the predictive distribution of the class of one query row: the probabilities of the
// classes 0, 1, ..., K-1, in [0, 1] and with sum 1.
type Classes []float64

// Best returns the most probable class, the first of several.
func (p Classes) Best() int {
	best := 0
	for k, v := range p {
		if v > p[best] {
			best = k
		}
	}
	return best
}

// classContext is what a context of a classifier has besides the encoded features.
type classContext struct {
	count  int     // K
	shares Classes // of the context rows, where no feature varies; otherwise nil
}

// Classifier reports whether the model predicts classes, by PredictClasses, rather than numbers,
// by Predict.
func (m *Model) Classifier() bool { return m.bundle.Manifest.Classifier() }

// Classes returns the number K of classes of the context, and 0 of a regression.
func (c *Context) Classes() int {
	if c.classes == nil {
		return 0
	}
	return c.classes.count
}

// fitClasses is fit for a classifier and a table that has been checked.
func (m *Model) fitClasses(ctx context.Context, t Training, members int) (*Context, error) {
	labels, err := m.checkClasses(t.Y)
	if err != nil {
		return nil, err
	}
	if t.Categorical == nil {
		t.Categorical = make([]bool, t.X.Cols)
	}
	count := slices.Max(labels) + 1
	c := &Context{model: m, rows: t.X.Rows, features: t.X.Cols, target: tabicl.Target{SD: 1},
		classes: &classContext{count: count}}
	preset := m.preset(members)
	preset.Classes = count
	c.encoder = tabicl.Fit(t.X, t.Categorical, preset)
	if c.encoder == nil {
		c.classes.shares = make(Classes, count)
		for _, k := range labels {
			c.classes.shares[k] += 1 / float64(len(labels))
		}
		return c, nil
	}
	err = m.encode(ctx, c, t.X, func(member int) []float32 {
		return shown(labels, c.encoder.Members[member].Classes)
	})
	if err != nil {
		return nil, err
	}
	return c, nil
}

// checkClasses returns targets as classes. They must be 0..K-1, each of at least one row, and no
// more than the network tells apart.
func (m *Model) checkClasses(y []float64) ([]int, error) {
	most := m.bundle.Manifest.Head.Levels
	labels, rows := make([]int, len(y)), map[int]int{}
	for i, v := range y {
		if v != math.Trunc(v) || v < 0 || v >= float64(len(y)) {
			return nil, &InputError{Table: "context", Row: i, Col: -1, Msg: fmt.Sprintf(
				"target is %g; for %s it must be a class 0, 1, ... of the table", v, m.name())}
		}
		labels[i] = int(v)
		rows[labels[i]]++
	}
	count := slices.Max(labels) + 1
	for k := range count {
		if rows[k] == 0 {
			return nil, &InputError{Table: "context", Row: -1, Col: -1, Msg: fmt.Sprintf(
				"no row has the class %d, but one has %d; number the classes 0, 1, ...", k, count-1)}
		}
	}
	if count < 2 || count > most {
		return nil, &LimitError{What: "classes", Got: count, Min: 2, Max: most, Model: m.name()}
	}
	return labels, nil
}

// shown lists classes as a member with this order of them sees them.
func shown(labels []int, order []int) []float32 {
	y := make([]float32, len(labels))
	for i, k := range labels {
		y[i] = float32(order[k])
	}
	return y
}

// PredictClasses returns the predictive distribution of the class of every query row, in order.
// With z_b the logits of member b, which sees class k as π_b(k), and T the temperature of the
// bundle, the probability of class k is
//
//	p_k ∝ exp(z̄_k/T),  z̄_k = (1/B) Σ_b z_b[π_b(k)].
//
// Where no feature varies it is the share of the class among the context rows. A row's
// distribution does not depend on the other rows of the call, to the last bit on a CPU. The error
// is a *TaskError if the model predicts numbers, or one of Predict.
//
// Source: TabICLClassifier.predict_proba of soda-inria/tabicl 2.2 with its defaults.
func (c *Context) PredictClasses(ctx context.Context, x Matrix) ([]Classes, error) {
	if c.classes == nil {
		return nil, &TaskError{Model: c.model.name()}
	}
	if err := c.admit(x); err != nil {
		return nil, err
	}
	defer c.model.closing.RUnlock()
	rows := make([]Classes, x.Rows)
	if c.classes.shares != nil {
		for i := range rows {
			rows[i] = slices.Clone(c.classes.shares)
		}
		return rows, context.Cause(ctx)
	}
	span := spanChunks * c.model.chunk
	for first := 0; first < x.Rows; first += span {
		last := min(first+span, x.Rows)
		if err := c.classSpan(ctx, rows[first:last], x.Span(first, last)); err != nil {
			return nil, err
		}
	}
	return rows, nil
}

// classSpan predicts up to spanChunks chunks of rows, members and blocks of rows side by side.
func (c *Context) classSpan(ctx context.Context, rows []Classes, x Matrix) error {
	raw, err := c.raw(ctx, x, 1)
	if err != nil {
		return err
	}
	var jobs errgroup.Group
	jobs.SetLimit(c.model.workers)
	size := c.blockRows(x.Rows)
	for block, outputs := range raw {
		jobs.Go(func() error {
			first := block * size
			for i := first; i < min(first+size, x.Rows); i++ {
				at := (i - first) * c.model.heads[0].levels
				rows[i] = c.softmax(c.meanLogits(outputs[0], at))
			}
			return nil
		})
	}
	return jobs.Wait()
}

// meanLogits averages the logits of one row, which start at offset at of every member's output, in
// the order of the classes 0..K-1.
func (c *Context) meanLogits(members [][]float32, at int) []float64 {
	mean := make([]float64, c.classes.count)
	for b, raw := range members {
		for k, seen := range c.encoder.Members[b].Classes {
			mean[k] += float64(raw[at+seen]) / float64(len(members))
		}
	}
	return mean
}

// softmax is exp(z_k/T)/Σ exp(z_j/T), T the temperature of the bundle.
func (c *Context) softmax(logits []float64) Classes {
	p, sum := make(Classes, len(logits)), 0.0
	most := slices.Max(logits)
	for k, z := range logits {
		p[k] = math.Exp((z - most) / c.model.bundle.Manifest.Classes.Temperature)
		sum += p[k]
	}
	for k := range p {
		p[k] /= sum
	}
	return p
}

// classHeader is what a saved state says of classes.
type classHeader struct {
	Count  int     `json:"count"`
	Shares Classes `json:"shares,omitempty"`
}

// restoreClasses makes the context of a classifier of a header, without its caches.
func (c *Context) restoreClasses(h *stateHeader) error {
	count := h.Classes.Count
	if count < 2 || count > c.model.bundle.Manifest.Head.Levels {
		return fmt.Errorf("%d classes exceed the model", count)
	}
	c.classes = &classContext{count: count, shares: h.Classes.Shares}
	if (h.Pipeline == nil) != (len(c.classes.shares) == count) || h.Bars != nil || h.Fixed != nil {
		return fmt.Errorf("it needs either pipelines or shares of %d classes", count)
	}
	sum := 0.0
	for _, share := range c.classes.shares {
		if !(share > 0) {
			return fmt.Errorf("a share of a class is %g", share)
		}
		sum += share
	}
	if h.Pipeline == nil {
		if math.Abs(sum-1) > 1e-9 {
			return fmt.Errorf("the shares of the classes have the sum %g", sum)
		}
		return nil
	}
	var err error
	if c.encoder, err = tabicl.Restore(*h.Pipeline, h.Columns); err != nil {
		return err
	}
	if got := len(c.encoder.Members[0].Classes); got != count {
		return fmt.Errorf("members order %d classes of %d", got, count)
	}
	return nil
}
