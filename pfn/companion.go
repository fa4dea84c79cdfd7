package pfn

import (
	"context"
	"errors"
)

// beside is what a context knows of its companion: another network that reads the same table, and
// whose posterior answers for a network without one of its own (models.Manifest.Companion).
type beside struct {
	turn    chan struct{} // holds a value while somebody reads or changes what follows
	table   *Training     // until the companion has read it
	context *Context
	why     error // why there is none, see Context.Alone
}

func newBeside() beside { return beside{turn: make(chan struct{}, 1)} }

// companion opens the companion at the first call. The caller keeps the model open.
func (m *Model) companion() (_ *Model, err error) {
	m.besideMu.Lock()
	defer m.besideMu.Unlock()
	if m.beside == nil {
		opt := m.options
		opt.Members, opt.Precision = 0, "" // of a network so small, rounding saves nothing
		if opt.Memory > 0 {
			opt.Memory = max(1, opt.Memory-int64(graphShare*float64(m.bundle.Size())))
		}
		m.beside, err = Open(m.bundle.Manifest.Companion, opt)
	}
	return m.beside, err
}

// accompany keeps a table for the companion, if there is one that can read it.
func (c *Context) accompany(t Training) {
	if b := c.model.bundle.Manifest.Companion; b != nil {
		if _, c.beside.why = (&Model{bundle: b}).admit(t); c.beside.why == nil {
			c.beside.table = &t
		}
	}
}

// Alone says why the model's companion does not read the table, such as a *LimitError or a
// *MemoryError; nil if it does, or if there is none. [Context.Companion] may find a reason.
func (c *Context) Alone() error {
	c.beside.turn <- struct{}{}
	defer func() { <-c.beside.turn }()
	return c.beside.why
}

// Companion returns the context of the model's companion, which has read the same table, or nil if
// there is none or it cannot read the table, see [Context.Alone]. The first call opens the
// companion and reads the table. The context is closed with c. Errors are those of Open and Fit.
func (c *Context) Companion(ctx context.Context) (*Context, error) {
	select {
	case c.beside.turn <- struct{}{}:
		defer func() { <-c.beside.turn }()
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
	if c.closed.Load() {
		return nil, ErrClosed
	}
	if c.beside.table == nil {
		return c.beside.context, nil
	}
	if err := c.model.acquire(); err != nil {
		return nil, err
	}
	defer c.model.closing.RUnlock()
	m, err := c.model.companion()
	if err == nil {
		c.beside.context, err = m.Fit(ctx, *c.beside.table)
	}
	if large, ok := errors.AsType[*MemoryError](err); ok {
		c.beside.why, err = large, nil
	}
	if err == nil {
		c.beside.table = nil
	}
	return c.beside.context, err
}
