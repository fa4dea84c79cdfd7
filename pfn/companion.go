package pfn

import (
	"context"
	"sync"
)

// beside is what a context knows of its companion: another network that reads the same table, and
// whose posterior answers for a network without one of its own (models.Manifest.Companion).
type beside struct {
	mu      sync.Mutex
	table   *Training // until the companion has read it
	context *Context
	why     error // why there is none, see Context.Alone
}

// companion opens the companion at the first call. The caller keeps the model open.
func (m *Model) companion() (_ *Model, err error) {
	m.besideMu.Lock()
	defer m.besideMu.Unlock()
	if m.beside == nil {
		opt := m.options
		opt.Members = 0
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

// Alone says why the model's companion does not read the table, such as a *LimitError, or nil.
func (c *Context) Alone() error { return c.beside.why }

// Companion returns the context of the model's companion, which has read the same table, or nil if
// there is none or it cannot read the table, see [Context.Alone]. The first call opens the
// companion and reads the table. The context is closed with c. Errors are those of Open and Fit.
func (c *Context) Companion(ctx context.Context) (*Context, error) {
	c.beside.mu.Lock()
	defer c.beside.mu.Unlock()
	if c.beside.table == nil || c.closed.Load() {
		return c.beside.context, nil
	}
	if err := c.model.acquire(); err != nil {
		return nil, err
	}
	defer c.model.closing.RUnlock()
	m, err := c.model.companion()
	if err != nil {
		return nil, err
	}
	if c.beside.context, err = m.Fit(ctx, *c.beside.table); err == nil {
		c.beside.table = nil
	}
	return c.beside.context, err
}
