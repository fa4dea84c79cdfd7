package pfn

import (
	"math"

	"github.com/pfnamp/pfnamp/pfn/internal/ort"
	"github.com/pfnamp/pfnamp/pfn/internal/tabicl"
	"github.com/pfnamp/pfnamp/pfn/internal/trend"
)

// tabiclFamily has ensembles whose members read the same columns in different orders.
type tabiclFamily struct{}

func (tabiclFamily) cost() cost { return cost{copies: 9} }

func (tabiclFamily) tokens(m *Model, columns int) float64 {
	return float64(columns) + math.Ceil(m.widths.row/max(m.widths.cell, 1))
}

// tolerances returns five times what onnxruntime and torch differ on one machine. A mistake in a
// graph, such as a constant log N, shows at 1e-3.
func (tabiclFamily) tolerances() tolerances {
	return tolerances{network: 5e-5, result: 5e-5, probabilities: 1e-5}
}

func (tabiclFamily) fit(m *Model, t *table, members int) (ensemble, []lesson, error) {
	y := t.Y
	if t.classes == 0 {
		y = t.Scores(t.Y)
	}
	preset := tabicl.Preset{Ensemble: m.bundle.Manifest.Ensemble, Classes: t.classes,
		Own: m.bundle.Manifest.Own() && !t.raw}
	preset.Members = members
	if t.Trees != nil {
		preset.Told = t.Trees.Left
	}
	transformer, read := tabicl.Fit(t.X, t.Categorical, y, preset)
	if transformer == nil {
		return none{}, nil, nil
	}
	e := tabiclEnsemble{transformer}
	lessons := make([]lesson, e.members())
	for b, x := range tensorsOf(t.X.Rows, read.Rows) {
		target := read.Left[transformer.Members[b].Trend]
		if target == nil {
			target = t.labels(e.order(b))
		}
		lessons[b] = lesson{x, ort.Tensor{Shape: shape(1, t.X.Rows), Data: target}}
	}
	return e, lessons, nil
}

func (tabiclFamily) restore(_ *Model, s *State, _ int) (ensemble, [][]cacheHeader, error) {
	h := &s.header
	e := tabiclEnsemble{tabicl.Restore(*h.Pipeline)}
	if h.Bare != nil {
		e = append(e, tabicl.Restore(*h.Bare))
	}
	return e, h.Caches, nil
}

// tabiclEnsemble is an ensemble for a network of the TabICL family. The members of a second
// transformer do not read what trees say, the last columns of a row.
type tabiclEnsemble []*tabicl.Transformer

func (e tabiclEnsemble) members() (n int) {
	for _, t := range e {
		n += len(t.Members)
	}
	return n
}

func (e tabiclEnsemble) member(b int) *tabicl.Member {
	if own := len(e[0].Members); b >= own {
		return e[1:].member(b - own)
	}
	return &e[0].Members[b]
}

func (e tabiclEnsemble) features() int { return e[0].Width() }

func (e tabiclEnsemble) trends(x Matrix) (found trends) {
	if !e[0].HasTrends() {
		found.odds, found.share, found.doubts = e[0].Odds(x)
		return found
	}
	for _, t := range e {
		along := t.Trends(x)
		for _, m := range t.Members {
			found.members = append(found.members,
				memberTrend{along.At[m.Trend], along.Scale[m.Trend], along.Doubt[m.Trend]})
		}
		found.beyond = along.Beyond
	}
	return found
}

func (e tabiclEnsemble) order(member int) []int { return e.member(member).Classes }

func (e tabiclEnsemble) composition(member int) goldenMember {
	m := e.member(member)
	kind := m.Trend
	if kind == trend.None {
		kind = ""
	}
	return goldenMember{Norm: m.Norm, Trend: kind, Classes: m.Classes, Permutation: m.Permutation}
}

func (e tabiclEnsemble) queries(x Matrix) (tensors []ort.Tensor) {
	for _, t := range e {
		tensors = append(tensors, tensorsOf(x.Rows, t.Queries(x))...)
	}
	return tensors
}

// save keeps the fitted pipelines.
func (e tabiclEnsemble) save(h *stateHeader, tensors [][]cacheHeader) [][]float64 {
	pipeline := e[0].State()
	h.Pipeline, h.Caches = &pipeline, tensors
	if len(e) > 1 {
		bare := e[1].State()
		h.Bare = &bare
	}
	return nil
}
