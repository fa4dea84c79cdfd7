package serve

import (
	"context"
	"sync"

	"github.com/pfnamp/pfnamp/cmd/pfnamp/internal/run"
	"github.com/pfnamp/pfnamp/pfn"
)

// networks are open once for all states with the same bundle and options. They are safe for
// concurrent use.
type networks struct {
	mu   sync.Mutex
	open map[network]*opened // nil until the first one
}

// network tells networks apart; the bundle is its hash.
type network struct {
	bundle  string
	options pfn.Options
}

type opened struct {
	model  *pfn.Model
	states int
}

// enter gives a job its network. leave ends its use: the last one closes it.
func (n *networks) enter(ctx context.Context, j *run.Job) (leave func(), err error) {
	n.mu.Lock()
	defer n.mu.Unlock()
	key := network{j.Bundle.SHA256(), j.From.Engine()}
	if n.open[key] == nil {
		if err := j.OpenModel(ctx); err != nil {
			return func() {}, err
		}
		if n.open == nil {
			n.open = map[network]*opened{}
		}
		n.open[key] = &opened{model: j.Model}
	}
	of := n.open[key]
	j.Model = of.model
	of.states++
	return func() {
		n.mu.Lock()
		defer n.mu.Unlock()
		if of.states--; of.states == 0 {
			delete(n.open, key)
			of.model.Close()
		}
	}, nil
}
