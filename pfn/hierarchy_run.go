package pfn

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"

	"golang.org/x/sync/errgroup"

	"github.com/pfnamp/pfnamp/internal/panics"
	"github.com/pfnamp/pfnamp/models"
	"github.com/pfnamp/pfnamp/pfn/internal/ort"
)

// treeGraphs are the graphs for more classes than outputs, by name. They are loaded on first use.
type treeGraphs struct {
	mu       sync.Mutex
	sessions map[string]*ort.Session
}

// take returns a graph that encodes a context, for one Fit; give returns it.
func (m *Model) take(ctx context.Context, name string) (*ort.Session, error) {
	m.tree.mu.Lock()
	session := m.tree.sessions[name]
	delete(m.tree.sessions, name)
	m.tree.mu.Unlock()
	if session != nil {
		return session, nil
	}
	return m.contextSession(ctx, name)
}

// give keeps a graph for the next Fit, or frees it.
func (m *Model) give(name string, session *ort.Session) error {
	m.tree.mu.Lock()
	defer m.tree.mu.Unlock()
	if m.refit && m.tree.sessions[name] == nil {
		m.tree.sessions[name] = session
		return nil
	}
	return session.Close()
}

// keep returns a graph that reads queries for contexts of a precision; it stays loaded.
func (m *Model) keep(ctx context.Context, name, precision string) (*ort.Session, error) {
	precision = m.queryPrecision(precision)
	key := name + " " + precision
	m.tree.mu.Lock()
	defer m.tree.mu.Unlock()
	if session := m.tree.sessions[key]; session != nil {
		return session, nil
	}
	session, err := m.session(ctx, name, m.query.options, roundingByRow(precision))
	if err == nil {
		m.tree.sessions[key] = session
	}
	return session, err
}

// columnPorts returns the number of a context's tensors for columns; those of rows follow.
func (m *Model) columnPorts() int {
	columns := 0
	for _, port := range m.caches {
		if strings.HasPrefix(port.Name, "colkv.") {
			columns++
		}
	}
	return columns
}

// hierarchyFor returns the hierarchy of a table with classes, nil if the network has enough
// outputs.
func (m *Model) hierarchyFor(t *table) *hierarchy {
	if t.classes <= m.bundle.Manifest.Head.Levels {
		return nil
	}
	rows := make([]int, t.classes)
	for _, k := range t.Y {
		rows[int(k)]++
	}
	return newHierarchy(rows, m.bundle.Manifest.Head.Levels)
}

// encodeTrees is encode for more classes than outputs.
func (m *Model) encodeTrees(
	ctx context.Context, h *hierarchy, lessons []lesson,
) (_ []encoded, err error) {
	if err := m.acquire(); err != nil {
		return nil, err
	}
	defer m.closing.RUnlock()
	var sessions [2]*ort.Session
	for i, name := range []string{models.RowsContextGraph, models.ICLContextGraph} {
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
			made[b], err = m.encodeTree(ctx, sessions[0], sessions[1], h, l)
			return err
		}))
	}
	return made, jobs.Wait()
}

// encodeTree encodes the context for one member: its columns, then the rows of every node.
func (m *Model) encodeTree(
	ctx context.Context, columns, rows *ort.Session, h *hierarchy, l lesson,
) (encoded, error) {
	out, err := m.runTree(ctx, columns, models.RowsContextGraph, int(l.x.Shape[1])*h.digits,
		int(l.x.Shape[2]), map[string]ort.Tensor{"X_train": l.x, "y_train": h.coded(l.y.Data)})
	if err != nil {
		return nil, err
	}
	last := len(out) - 1
	made, all := encoded(out[:last:last]), out[last]
	if len(all.Shape) != 3 || all.Shape[1] != l.x.Shape[1] {
		return nil, &ModelError{m.Name(), fmt.Sprintf("the encoded rows have the shape %v", all.Shape)}
	}
	for _, n := range h.nodes {
		own, labels := n.pick(all, l.y.Data)
		out, err := m.runTree(ctx, rows, models.ICLContextGraph, int(own.Shape[1]),
			int(l.x.Shape[2]), map[string]ort.Tensor{models.RowsTensor: own, "y_train": labels})
		if err != nil {
			return nil, err
		}
		made = append(made, out...)
	}
	return made, nil
}

// runTree runs one of these graphs on a table of this size.
func (m *Model) runTree(
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
