package serve

import (
	"cmp"
	"fmt"
	"net"
	"net/http"
	"slices"
	"strings"

	"github.com/pfnamp/pfnamp/batching"
	"github.com/pfnamp/pfnamp/check"
	"github.com/pfnamp/pfnamp/internal/panics"
)

// Replace replaces the models without downtime. A running request keeps its model, and a model is
// freed ([Model.Done]) when no request needs it. A model with the same name, version and predictor
// keeps its queue. If a name has several versions, a request without a version gets the last one in
// the list. If a model is not valid, Replace changes nothing and returns the reason. The error of a
// closed server is net.ErrClosed.
func (s *Server) Replace(models []Model) error {
	next := make([]*model, len(models))
	for i, m := range models {
		for _, other := range models[:i] {
			if other.Name == m.Name && other.Version == m.Version {
				return fmt.Errorf("serve: two models have the name %q and the version %q", m.Name, m.Version)
			}
		}
		served, err := newModel(m, s.limits)
		if err != nil {
			return err
		}
		next[i] = served
	}
	slices.SortStableFunc(next, func(a, b *model) int { return cmp.Compare(a.Name, b.Name) })
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return net.ErrClosed
	}
	var gone []*model
	for _, old := range s.roster {
		same := slices.IndexFunc(next, func(m *model) bool {
			return m.Name == old.Name && m.Version == old.Version && m.Predictor == old.Predictor
		})
		if same >= 0 {
			next[same] = old
		} else {
			gone = append(gone, old)
		}
	}
	for _, m := range next {
		if m.batcher == nil {
			m.batcher = batching.New(m.Predictor, batching.Options{Rows: s.limits.BatchRows,
				Wait: s.limits.Wait, Queue: s.limits.QueueRows, Observe: s.metrics.runs(m.Name)})
			if s.options.CheckRows > 0 {
				m.watch = check.NewWatch(m.Predictor, s.options.CheckRows, m.Predictor.Question().Seed,
					func(err error) { s.log.Error("drift check stopped", "name", m.Name, "err", err) })
			}
			s.noteChange(m, gone)
		}
	}
	s.roster = next
	s.retire(gone)
	return nil
}

// noteChange warns of a model that takes the name of one that goes, with another bundle, target or
// columns: the clients of that one may fail.
func (s *Server) noteChange(m *model, gone []*model) {
	var old *model
	for _, g := range gone {
		if g.Name == m.Name && (old == nil || g.Version == m.Version) {
			old = g
		}
	}
	if old == nil || slices.Equal(old.promises(), m.promises()) {
		return
	}
	without := func(all, other []string) []string {
		return slices.DeleteFunc(all, func(p string) bool { return slices.Contains(other, p) })
	}
	s.metrics.changed.Inc()
	s.log.Warn("model with another bundle, target or columns", "name", m.Name, "version", m.Version,
		"before", without(old.promises(), m.promises()), "now", without(m.promises(), old.promises()))
}

// retire ends models that get no new requests. The caller holds the lock.
func (s *Server) retire(models []*model) {
	for _, m := range models {
		if m.retired = true; m.users == 0 {
			s.retiring.Go(panics.Job(m.end))
		}
	}
}

// end answers what waits for a model, and frees it.
func (m *model) end() error {
	m.batcher.Close()
	if m.watch != nil {
		m.watch.Close()
	}
	if m.Done != nil {
		m.Done()
	}
	return nil
}

func (s *Server) models() []*model {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.roster)
}

// model finds a model by its name and, where it is not "", its version, for a request, which uses
// it until its end.
func (s *Server) model(name, version string, of *request) (*model, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	var found *model
	var versions []string
	for _, m := range s.roster {
		if m.Name != name {
			continue
		}
		if versions = append(versions, m.Version); version == "" || version == m.Version {
			found = m // the last one
		}
	}
	switch {
	case versions == nil:
		return nil, faultf(http.StatusNotFound, "there is no model %q: GET /v2/models lists them",
			name).classed("model")
	case found == nil:
		return nil, faultf(http.StatusNotFound, "model %s has no version %q: use %s", name, version,
			strings.Join(versions, ", ")).classed("model")
	}
	found.users++
	of.uses = append(of.uses, found)
	of.model = found.Name
	return found, nil
}

// release ends the use of models by a request.
func (s *Server) release(of *request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, m := range of.uses {
		if m.users--; m.users == 0 && m.retired {
			s.retiring.Go(panics.Job(m.end))
		}
	}
	of.uses = nil
}

// versions lists the versions of a model, the one that answers by itself last.
func (s *Server) versions(name string) []string {
	var list []string
	for _, m := range s.models() {
		if m.Name == name {
			list = append(list, m.Version)
		}
	}
	return list
}
