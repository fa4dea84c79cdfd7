package pfn

import (
	"context"
	"errors"
	"slices"
	"sync/atomic"

	"golang.org/x/sync/errgroup"

	"github.com/pfnamp/pfnamp/models"
	"github.com/pfnamp/pfnamp/pfn/internal/ort"
	"github.com/pfnamp/pfnamp/pfn/internal/tabicl"
)

// Context is a labelled table that the network has read. It is safe for concurrent use.
type Context struct {
	model    *Model
	rows     int
	features int
	target   tabicl.Target
	encoder  *tabicl.Transformer // nil if there is a fixed distribution
	encoded  []encoded           // one per member
	fixed    []*Quantiles        // distributions of every query row by head, or nil
	bars     *barContext         // of a TabPFN network, which has no encoder above; or nil
	classes  *classContext       // of a classifier, or nil
	closed   atomic.Bool
}

// encoded is the context as the network has read it for one member: the keys and values of its
// attention layers, in the order of Model.caches.
type encoded []ort.Tensor

// Fit encodes a labelled context table. Errors are *InputError, *LimitError, *ModelError,
// *NativeError, ErrClosed or the cause of a cancelled ctx. The target of a classifier is the class
// of every row, 0..K-1, and every class has at least one row; what follows is about numbers.
//
// A constant target needs no network: every distribution is a point mass (Degenerate). Features
// that do not vary say nothing about the target: every distribution is then the empirical one of
// the target (Marginal), and its median has the confidence distribution of a sample median. The
// caller must not change the training data before Fit returns.
func (m *Model) Fit(ctx context.Context, t Training) (*Context, error) {
	return m.fit(ctx, t, m.members)
}

// fit is Fit for a number of members.
func (m *Model) fit(ctx context.Context, t Training, members int) (*Context, error) {
	if err := t.check(); err != nil {
		return nil, err
	}
	if err := m.checkLimits(t.X); err != nil {
		return nil, err
	}
	if m.Classifier() {
		return m.fitClasses(ctx, t, members)
	}
	c := &Context{model: m, rows: t.X.Rows, features: t.X.Cols, target: tabicl.FitTarget(t.Y)}
	if c.target.Constant {
		for _, h := range m.heads {
			c.fixed = append(c.fixed, pointMass(c.target.Mean, h.levels))
		}
		return c, nil
	}
	if t.Categorical == nil {
		t.Categorical = make([]bool, t.X.Cols)
	}
	if m.bundle.Manifest.Family == models.TabPFNFamily {
		if err := m.fitBars(ctx, c, t, members); err != nil {
			return nil, err
		}
		return c, nil
	}
	y := c.target.Standardize(t.Y)
	c.encoder = tabicl.Fit(t.X, t.Categorical, m.preset(members))
	if c.encoder == nil {
		for _, h := range m.heads {
			c.fixed = append(c.fixed, c.rescale(h.marginal(y, h.levels)))
		}
		return c, nil
	}
	if err := m.encode(ctx, c, t.X, func(int) []float32 { return y }); err != nil {
		return nil, err
	}
	return c, nil
}

// checkLimits compares a context table with the limits of the model.
func (m *Model) checkLimits(x Matrix) error {
	l := m.bundle.Manifest.Limits
	if x.Rows < l.MinRows || x.Rows > l.MaxRows {
		return &LimitError{What: "rows", Got: x.Rows, Min: l.MinRows, Max: l.MaxRows,
			Model: m.name()}
	}
	if x.Cols < 1 || x.Cols > l.MaxFeatures {
		return &LimitError{What: "features", Got: x.Cols, Min: 1, Max: l.MaxFeatures,
			Model: m.name()}
	}
	return nil
}

// preset is the composition of the ensemble.
func (m *Model) preset(members int) tabicl.Preset {
	e := m.bundle.Manifest.Ensemble
	return tabicl.Preset{Members: members, Norms: e.Norms, Seed: e.Seed,
		Threshold: e.OutlierThreshold}
}

// encode runs the context graph once for every member with its targets, several at a time.
func (m *Model) encode(
	ctx context.Context, c *Context, x Matrix, y func(member int) []float32,
) (err error) {
	if err := m.acquire(); err != nil {
		return err
	}
	defer m.closing.RUnlock()
	session, err := m.takeContext()
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, m.giveContext(session)) }()
	n, h := x.Rows, c.encoder.Width()
	features := c.encoder.Transform(x)
	c.encoded = make([]encoded, len(c.encoder.Members))
	jobs, ctx := errgroup.WithContext(ctx)
	jobs.SetLimit(m.workers)
	for b := range c.encoded {
		jobs.Go(func() (err error) {
			c.encoded[b], err = m.encodeMember(ctx, session, map[string]ort.Tensor{
				"X_train": {Shape: shape(1, n, h), Data: features[b*n*h : (b+1)*n*h]},
				"y_train": {Shape: shape(1, n), Data: y(b)},
			})
			return err
		})
	}
	return jobs.Wait()
}

// encodeMember runs the context graph for one member.
func (m *Model) encodeMember(
	ctx context.Context, session *ort.Session, in map[string]ort.Tensor,
) (encoded, error) {
	out, err := session.Run(ctx, in)
	if err != nil {
		return nil, err
	}
	for _, tensor := range out {
		if !finite(tensor.Data) {
			return nil, &ModelError{m.name(), "the encoded context contains NaN or Inf"}
		}
	}
	return out, nil
}

// acquire keeps the model open until closing.RUnlock.
func (m *Model) acquire() error {
	m.closing.RLock()
	if m.closed {
		m.closing.RUnlock()
		return ErrClosed
	}
	return nil
}

// Degenerate reports whether the target was constant, so that every distribution is a point mass.
func (c *Context) Degenerate() bool { return c.target.Constant }

// Marginal reports whether no feature varied, so that every distribution is that of the target.
func (c *Context) Marginal() bool {
	return c.fixed != nil && !c.target.Constant || c.classes != nil && c.classes.shares != nil
}

// Rows returns the number of context rows.
func (c *Context) Rows() int { return c.rows }

// Columns returns the number of features of a query row, those included that do not vary.
func (c *Context) Columns() int { return c.features }

// Features returns the number of features that vary, which are those that the network reads.
func (c *Context) Features() int {
	if c.bars != nil {
		return c.bars.transformer.Features()
	}
	if c.encoder == nil {
		return 0
	}
	return c.encoder.Width()
}

// Members returns the number of ensemble members: that asked for, or fewer if the features have
// not enough permutations. It is 0 if the network is not needed.
func (c *Context) Members() int {
	if c.bars != nil {
		return len(c.bars.members)
	}
	if c.encoder == nil {
		return 0
	}
	return len(c.encoder.Members)
}

// Close drops the encoded context. A second Close returns ErrClosed.
func (c *Context) Close() error {
	if c.closed.Swap(true) {
		return ErrClosed
	}
	return nil
}

// marginal is the empirical distribution of standardised targets as quantiles at the head's
// levels, by linear interpolation between order statistics at the positions p (n - 1).
func marginal(y []float32, levels int) *Quantiles {
	sorted := slices.Sorted(slices.Values(y))
	knots := make([]float64, levels)
	for i := range knots {
		pos := float64(i+1) / float64(levels+1) * float64(len(sorted)-1)
		k := min(int(pos), len(sorted)-2)
		low, high := float64(sorted[k]), float64(sorted[k+1])
		knots[i] = low + (pos-float64(k))*(high-low)
	}
	return newQuantiles(knots)
}

// rescale gives a standardised distribution the location and scale of the target.
func (c *Context) rescale(d *Quantiles) *Quantiles {
	d.Location, d.Scale = c.target.Mean, c.target.SD
	return d
}

func shape(dims ...int) []int64 {
	s := make([]int64, len(dims))
	for i, d := range dims {
		s[i] = int64(d)
	}
	return s
}

func finite(values []float32) bool {
	for _, v := range values {
		if v-v != 0 { // Inf-Inf and NaN-NaN are NaN
			return false
		}
	}
	return true
}
