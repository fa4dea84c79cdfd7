package pfn

import (
	"math"

	"github.com/pfnamp/pfnamp/pfn/internal/golden"
	"github.com/pfnamp/pfnamp/pfn/internal/nori"
	"github.com/pfnamp/pfnamp/pfn/internal/ort"
)

// noriFamily has ensembles whose members have columns of their own and predict quantiles.
type noriFamily struct{}

func (noriFamily) keepsFeatures() bool { return true }

func (noriFamily) cost() cost { return cost{copies: 12, pipeline: 300, stacked: 2.5} }

// tokens returns the groups of columns and the label.
func (noriFamily) tokens(m *Model, columns int) float64 {
	return math.Ceil(float64(columns)/float64(m.bundle.Manifest.Nori.FeaturesPerGroup)) + 1
}

// tolerances returns those of networks as deep as TabPFN's.
func (noriFamily) tolerances() tolerances { return tabpfnFamily{}.tolerances() }

// fit keeps a copy of the table, for a saved state.
func (noriFamily) fit(m *Model, t *table, members int) (ensemble, []lesson, error) {
	kept := copyOf(t.Training)
	preset := noriPreset(m, members)
	e := noriEnsemble{nori.Fit(kept.X, kept.Categorical, preset), kept, preset.Fingerprint}
	if e.Transformer == nil {
		return none{}, nil, nil
	}
	y := t.labels(nil)
	return e, ownLessons(e, kept.X, func(int) []float32 { return y }), nil
}

// restore fits the pipelines to the saved table again, which gives the same bits.
func (noriFamily) restore(m *Model, s *State, _ int) (ensemble, [][]cacheHeader, error) {
	h := s.header.Nori
	t, err := h.training(s)
	if err != nil {
		return nil, nil, err
	}
	preset := noriPreset(m, h.Members)
	preset.Fingerprint = h.Fingerprint
	return noriEnsemble{nori.Fit(t.X, t.Categorical, preset), t, h.Fingerprint}, h.Caches, nil
}

// noriEnsemble is an ensemble for a network of the Nori family.
type noriEnsemble struct {
	*nori.Transformer
	training    Training // for a saved state
	fingerprint bool
}

func (e noriEnsemble) members() int  { return len(e.Members) }
func (e noriEnsemble) features() int { return e.Features() }
func (noriEnsemble) averagesRaw()    {}

func (e noriEnsemble) composition(member int) golden.Member {
	return golden.Member{Pipeline: e.Members[member].Pipeline.Transform,
		Permutation: e.Permutation(member)}
}

func (e noriEnsemble) queries(x Matrix) []ort.Tensor {
	return ownTensors(e, x.Rows, e.Queries(x))
}

func (e noriEnsemble) save(h *stateHeader, tensors [][]cacheHeader) [][]float64 {
	h.Nori = &ownHeader{Members: e.members(), Fingerprint: e.fingerprint,
		Categorical: e.training.Categorical, Caches: tensors}
	return [][]float64{e.training.X.Data, e.training.Y}
}

// noriPreset returns the composition of an ensemble.
func noriPreset(m *Model, members int) nori.Preset {
	manifest := &m.bundle.Manifest
	return nori.Preset{Members: members, Seed: manifest.Ensemble.Seed,
		Fingerprint: !m.noFingerprint, Pipelines: manifest.Nori.Pipelines}
}
