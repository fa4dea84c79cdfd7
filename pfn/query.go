package pfn

import (
	"context"
	"runtime/debug"
	"sync"

	"github.com/pfnamp/pfnamp/models"
	"github.com/pfnamp/pfnamp/pfn/internal/ort"
)

// query is the query graph of a model: what its bytes declare, and its session, which may come
// later.
type query struct {
	inputs, outputs []ort.Port
	placement       ort.Placement

	loading sync.Mutex   // guards session until it exists
	session *ort.Session // nil until it is needed
	options ort.SessionOptions
}

// openQuery loads the query graph or, if it may be loaded later, reads only its declarations.
//
// It has one thread: see load.
func (m *Model) openQuery(opt Options) error {
	q := &m.query
	q.options = ort.SessionOptions{Threads: 1, Device: opt.Device, Repeats: true}
	if opt.Late {
		placement, sure, err := m.runtime.Place(opt.Device)
		if err == nil && sure {
			q.placement = placement
			return m.declared()
		}
	}
	return m.loadQuery(context.Background())
}

// declared reads inputs and outputs without loading the graph.
func (m *Model) declared() error {
	graph, err := m.bundle.Graph(models.QueryGraph)
	if err != nil {
		return err
	}
	m.query.inputs, m.query.outputs, err = ort.Ports(graph)
	if err != nil { // report the error of loading it
		return m.loadQuery(context.Background())
	}
	return nil
}

// Load loads the query graph that Options.Late has left; if it is loaded, it does nothing.
// Predictions call it when needed. Errors are those of Open, ErrClosed or the cause of a cancelled
// ctx.
func (m *Model) Load(ctx context.Context) error {
	if err := m.acquire(); err != nil {
		return err
	}
	defer m.closing.RUnlock()
	return m.loadQuery(ctx)
}

// loadQuery loads the query graph unless it is loaded. The caller keeps the model open.
func (m *Model) loadQuery(ctx context.Context) error {
	q := &m.query
	q.loading.Lock()
	defer q.loading.Unlock()
	if q.session != nil {
		return nil
	}
	session, err := m.session(ctx, models.QueryGraph, q.options, false)
	if err != nil {
		return err
	}
	if m.bundle.Size() > largeGraphs {
		debug.FreeOSMemory() // the library has copied the graph
	}
	q.session, q.inputs, q.outputs = session, session.Inputs(), session.Outputs()
	q.placement = session.Placement()
	return nil
}
