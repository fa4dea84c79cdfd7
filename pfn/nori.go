package pfn

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/pfnamp/pfnamp/models"
	"github.com/pfnamp/pfnamp/pfn/internal/golden"
	"github.com/pfnamp/pfnamp/pfn/internal/nori"
	"github.com/pfnamp/pfnamp/pfn/internal/ort"
)

// noriFamily has ensembles whose members have columns of their own, and say quantiles.
type noriFamily struct{}

func (noriFamily) keepsFeatures() bool       { return true }
func (noriFamily) cost() cost                { return cost{copies: 8, pipeline: 700} }
func (noriFamily) saved(h *stateHeader) bool { return h.Nori != nil }

// tokens are groups of columns and the label.
func (noriFamily) tokens(m *Model, columns int) float64 {
	return math.Ceil(float64(columns)/float64(m.bundle.Manifest.Nori.FeaturesPerGroup)) + 1
}

func (noriFamily) golden(data []byte, m *models.Manifest) ([]goldenCase, error) {
	return readGolden(data, m, func(c *golden.OwnQuantileCase) goldenCase {
		return ownQuantileCase{c}
	})
}

// noriSaved is what the header of a state says of an ensemble of the family.
type noriSaved struct {
	Nori *noriHeader `json:"nori,omitempty"`
}

// noriHeader is like tabpfnHeader, and as there the training table and its target follow.
type noriHeader struct {
	Members     int             `json:"members"`
	Fingerprint bool            `json:"fingerprint"`
	Categorical []bool          `json:"categorical"`
	Caches      [][]cacheHeader `json:"caches"` // by member and input of the query graph
}

// fit keeps a copy of the table, for a saved state.
func (noriFamily) fit(m *Model, t *table, members int) (ensemble, []lesson, error) {
	kept := t.Training
	kept.X.Data, kept.Y = slices.Clone(t.X.Data), slices.Clone(t.Y)
	kept.Categorical = slices.Clone(t.Categorical)
	preset := noriPreset(m, members)
	e := noriEnsemble{nori.Fit(kept.X, kept.Categorical, preset), kept, preset.Fingerprint}
	if e.Transformer == nil {
		return none{}, nil, nil
	}
	y := ort.Tensor{Shape: shape(1, t.X.Rows), Data: t.labels(nil)}
	lessons := make([]lesson, e.members())
	for b, x := range e.Context(kept.X) {
		lessons[b] = lesson{ort.Tensor{Shape: shape(1, t.X.Rows, e.Width(b)), Data: x}, y}
	}
	return e, lessons, nil
}

// restore fits the pipelines to the saved table again, which gives the same bits.
func (noriFamily) restore(m *Model, s *State, _ target) (ensemble, [][]cacheHeader, error) {
	h := s.header.Nori
	if h == nil {
		return nil, nil, errors.New("its family is not that of the model")
	}
	if h.Members < 1 || h.Members > maxMembers || len(h.Caches) != h.Members {
		return nil, nil, fmt.Errorf("it has %d members, but %d lists of tensors",
			h.Members, len(h.Caches))
	}
	t, err := s.training(h.Categorical)
	if err != nil {
		return nil, nil, err
	}
	preset := noriPreset(m, h.Members)
	preset.Fingerprint = h.Fingerprint
	e := noriEnsemble{nori.Fit(t.X, t.Categorical, preset), t, h.Fingerprint}
	if e.Transformer == nil {
		return nil, nil, errors.New("its training table does not vary")
	}
	return e, h.Caches, nil
}

// noriEnsemble is that of a network of the Nori family.
type noriEnsemble struct {
	*nori.Transformer
	training    Training // for a saved state
	fingerprint bool
}

func (e noriEnsemble) members() int  { return len(e.Members) }
func (e noriEnsemble) features() int { return e.Features() }
func (noriEnsemble) averagesRaw()    {}

func (e noriEnsemble) queries(x Matrix) []ort.Tensor {
	tensors := make([]ort.Tensor, e.members())
	for b, table := range e.Queries(x) {
		tensors[b] = ort.Tensor{Shape: shape(1, x.Rows, e.Width(b)), Data: table}
	}
	return tensors
}

func (e noriEnsemble) save(h *stateHeader, tensors [][]cacheHeader) [][]float64 {
	h.Nori = &noriHeader{Members: e.members(), Fingerprint: e.fingerprint,
		Categorical: e.training.Categorical, Caches: tensors}
	return [][]float64{e.training.X.Data, e.training.Y}
}

// noriPreset is the composition of an ensemble.
func noriPreset(m *Model, members int) nori.Preset {
	manifest := &m.bundle.Manifest
	preset := nori.Preset{Members: members, Seed: manifest.Ensemble.Seed,
		Fingerprint: !m.noFingerprint}
	for _, p := range manifest.Nori.Pipelines {
		preset.Pipelines = append(preset.Pipelines, nori.Pipeline(p))
	}
	return preset
}
