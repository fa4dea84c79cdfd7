package pfn

import (
	"context"
	"errors"
	"sync/atomic"

	"golang.org/x/sync/errgroup"

	"github.com/pfnamp/pfnamp/boost"
	"github.com/pfnamp/pfnamp/internal/panics"
	"github.com/pfnamp/pfnamp/models"
	"github.com/pfnamp/pfnamp/pfn/internal/ort"
)

// Context is a labelled table that a network has encoded. It is safe for concurrent use.
type Context struct {
	model     *Model
	rows      int
	columns   int
	trees     *boost.Forest // whose scores follow the columns; nil = none
	target    target
	ensemble  ensemble
	hierarchy *hierarchy    // for more classes than outputs of the network, otherwise nil
	nodes     []*Context    // of the hierarchy, of a network that reads each by itself
	encoded   []encoded     // one per member
	voices    [roles]*voice // the heads of the model in this context
	bound     bound
	precision string // of the network that has read it, Float32 or Int8
	restored  bool   // from a state, which may be damaged
	closed    atomic.Bool
	beside    beside
	most      atomic.Int64 // query rows in a run on a device, see deviceBlock
}

// encoded is the context, encoded for one member: the keys and values of its attention layers, in
// the order of Model.caches, or of a hierarchy's ports.
type encoded []ort.Tensor

// Fit encodes a labelled context table. The target of a classifier is the class of every row,
// 0..K-1; every class needs at least one row.
//
// If a numeric target is constant, no network is needed: every distribution is a point mass
// (Degenerate). If no feature varies, every distribution is the empirical one of the target
// (Marginal), and its median has the confidence distribution of a sample median. Do not change the
// training data while the context is in use: a companion may read it later.
//
// Errors are *InputError, *LimitError, *MemoryError, *ModelError, *NativeError, *TimeLimitError,
// ErrClosed or the cause of a cancelled ctx.
func (m *Model) Fit(ctx context.Context, t Training) (*Context, error) {
	c, err := m.fit(ctx, t, m.members)
	if err != nil {
		return nil, m.tooLarge(err, t.X, "context")
	}
	c.accompany(t)
	return c, nil
}

func (m *Model) fit(ctx context.Context, given Training, members int) (*Context, error) {
	t, err := m.admit(given)
	if err != nil {
		return nil, err
	}
	c := &Context{model: m, rows: t.X.Rows, columns: given.X.Cols, trees: given.Trees,
		target: t.target, ensemble: none{}, precision: m.precision.String(), beside: newBeside()}
	if t.classes > m.bundle.Manifest.Head.Levels && m.bundle.Manifest.ReadsNodes() {
		return c, c.readNodes(ctx, t, members)
	}
	var lessons []lesson
	if !t.Constant {
		if c.ensemble, lessons, err = m.family.fit(m, t, members); err != nil {
			return nil, err
		}
		grown, err := m.grown(ctx, t, c.ensemble)
		if err != nil {
			return nil, err
		}
		if grown != nil {
			t, c.trees = grown, grown.Trees
			bare, read := c.ensemble, lessons
			if c.ensemble, lessons, err = m.family.fit(m, t, members); err != nil {
				return nil, err
			}
			if t.classes > 0 { // trees alone do not tell whether they help
				c.ensemble = append(c.ensemble.(tabiclEnsemble), bare.(tabiclEnsemble)...)
				lessons = append(lessons, read...)
			}
		}
		if c.ensemble, lessons, err = m.withBare(t, c.ensemble, lessons); err != nil {
			return nil, err
		}
	}
	if c.ensemble.members() == 0 {
		c.giveVoice(func(_ role, h head) combiner { return always(h.alone(t)) })
		return c, nil
	}
	c.hierarchy = m.hierarchyFor(t)
	err = m.checkMemory(demand{rows: t.X.Rows, widths: lessonWidths(lessons), tree: c.hierarchy})
	if err != nil {
		return nil, err
	}
	if c.hierarchy != nil {
		c.encoded, err = m.encodeTrees(ctx, c.hierarchy, lessons)
	} else {
		c.encoded, err = m.encode(ctx, lessons, []string{models.ContextGraph}, m.encodeMember)
		c.precision = m.precision.String() // loading the graph settles it
	}
	if err != nil {
		return nil, err
	}
	c.combine()
	return c, nil
}

func lessonWidths(lessons []lesson) []int {
	widths := make([]int, len(lessons))
	for b, l := range lessons {
		widths[b] = int(l.x.Shape[2])
	}
	return widths
}

// combine creates the voices of a context with members.
func (c *Context) combine() {
	c.giveVoice(func(_ role, h head) combiner { return h.combiner(c.ensemble, c.target) })
}

// encode runs these graphs of the model for every member, several members at a time.
func (m *Model) encode(
	ctx context.Context, lessons []lesson, names []string,
	one func(ctx context.Context, graphs []*ort.Session, l lesson) (encoded, error),
) (_ []encoded, err error) {
	if err := m.acquire(); err != nil {
		return nil, err
	}
	defer m.closing.RUnlock()
	sessions := make([]*ort.Session, len(names))
	for i, name := range names {
		if sessions[i], err = m.take(ctx, name); err != nil {
			return nil, err
		}
		defer func() { err = errors.Join(err, m.give(name, sessions[i])) }()
	}
	made := make([]encoded, len(lessons))
	jobs, ctx := errgroup.WithContext(ctx)
	jobs.SetLimit(m.workers)
	for b, l := range lessons {
		jobs.Go(panics.Job(func() (err error) {
			made[b], err = one(ctx, sessions, l)
			return err
		}))
	}
	return made, jobs.Wait()
}

func (m *Model) encodeMember(
	ctx context.Context, graphs []*ort.Session, l lesson,
) (encoded, error) {
	return m.runGraph(ctx, graphs[0], models.ContextGraph, int(l.x.Shape[1]), int(l.x.Shape[2]),
		map[string]ort.Tensor{"X_train": l.x, "y_train": l.y})
}

func (m *Model) runGraph(
	ctx context.Context, session *ort.Session, name string, rows, columns int,
	in map[string]ort.Tensor,
) ([]ort.Tensor, error) {
	ctx, stop := m.within(ctx, "running its "+name+" graph", rows, columns)
	defer stop()
	out, err := session.Run(ctx, in)
	if err != nil {
		return nil, err
	}
	for _, tensor := range out {
		if !finite(tensor.Data) {
			return nil, &ModelError{m.Name(), "its " + name + " graph returns NaN or Inf"}
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
func (c *Context) Marginal() bool { return c.ensemble.members() == 0 && !c.target.Constant }

// Model returns the model that has read the table.
func (c *Context) Model() *Model { return c.model }

// Rows returns the number of context rows.
func (c *Context) Rows() int { return c.rows }

// Precision returns the precision of the network when it read the table: Float32 or Int8.
func (c *Context) Precision() string { return c.precision }

// Columns returns the number of features of a query row, constant ones included.
func (c *Context) Columns() int { return c.columns }

// Members returns the number of ensemble members: the requested number, or fewer if the features
// have too few permutations. It is 0 if no network is needed.
func (c *Context) Members() int { return c.ensemble.members() }

// Classes returns the number K of classes of the context, or 0 for a regression.
func (c *Context) Classes() int { return c.target.classes }

// Close drops the encoded context. A second Close returns ErrClosed.
func (c *Context) Close() error {
	if c.closed.Swap(true) {
		return ErrClosed
	}
	c.beside.turn <- struct{}{} // wait for a companion that is reading
	defer func() { <-c.beside.turn }()
	errs := []error{c.unbind()}
	for _, node := range c.nodes {
		errs = append(errs, node.Close())
	}
	if c.beside.context != nil {
		errs = append(errs, c.beside.context.Close())
	}
	return errors.Join(errs...)
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
