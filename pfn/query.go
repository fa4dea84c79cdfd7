package pfn

import (
	"context"
	"runtime/debug"
	"sync"

	"github.com/pfnamp/pfnamp/models"
	"github.com/pfnamp/pfnamp/pfn/internal/ort"
)

// query is the query graph of a model: what its bytes declare, and its sessions, which may come
// later.
type query struct {
	inputs, outputs []ort.Port
	placement       ort.Placement

	loading  sync.Mutex              // guards sessions
	sessions map[string]*ort.Session // by precision, loaded on first use
	options  ort.SessionOptions
}

// openQuery loads the query graph or, if it may be loaded later, reads only its declarations.
//
// It has one thread: see load.
func (m *Model) openQuery(opt Options) error {
	q := &m.query
	q.options = ort.SessionOptions{Threads: 1, Device: opt.Device, Repeats: true}
	q.sessions = map[string]*ort.Session{}
	if opt.Late {
		placement, sure, err := m.runtime.Place(opt.Device)
		if err == nil && sure {
			q.placement = placement
			return m.declared()
		}
	}
	return m.firstQuery()
}

// firstQuery loads the query graph for the contexts that the model will read.
func (m *Model) firstQuery() error {
	_, err := m.loadQuery(context.Background(), m.precision.String())
	return err
}

// declared reads inputs and outputs without loading the graph.
func (m *Model) declared() error {
	graph, err := m.bundle.Graph(models.QueryGraph)
	if err != nil {
		return err
	}
	m.query.inputs, m.query.outputs, err = ort.Ports(graph)
	if err != nil { // report the error of loading it
		return m.firstQuery()
	}
	return nil
}

// Load loads the query graph that Options.Late has left; if it is loaded, or the context needs
// none, it does nothing. Predictions load it when needed. Errors are those of Open, ErrClosed or
// the cause of a cancelled ctx.
func (c *Context) Load(ctx context.Context) error {
	if c.Members() == 0 || c.hierarchy != nil {
		return nil
	}
	if err := c.model.acquire(); err != nil {
		return err
	}
	defer c.model.closing.RUnlock()
	_, err := c.model.loadQuery(ctx, c.precision)
	return err
}

// loadQuery returns the query graph for contexts of a precision, which it loads unless it is
// loaded. The caller keeps the model open.
func (m *Model) loadQuery(ctx context.Context, precision string) (*ort.Session, error) {
	q := &m.query
	precision = m.queryPrecision(precision)
	q.loading.Lock()
	defer q.loading.Unlock()
	if session := q.sessions[precision]; session != nil {
		return session, nil
	}
	session, err := m.session(ctx, models.QueryGraph, q.options, roundingByRow(precision))
	if err != nil {
		return nil, err
	}
	if m.bundle.Size() > largeGraphs {
		debug.FreeOSMemory() // the library has copied the graph
	}
	if len(q.sessions) == 0 {
		q.inputs, q.outputs, q.placement = session.Inputs(), session.Outputs(), session.Placement()
	}
	q.sessions[precision] = session
	return session, nil
}
