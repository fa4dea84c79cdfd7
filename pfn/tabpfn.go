package pfn

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/pfnamp/pfnamp/distr"
	"github.com/pfnamp/pfnamp/pfn/internal/ort"
	"github.com/pfnamp/pfnamp/pfn/internal/tabpfn"
)

// tabpfnFamily has ensembles whose members have different columns; those of Nori predict quantiles.
type tabpfnFamily struct{ costs cost }

func (f tabpfnFamily) cost() cost { return f.costs }

// tokens returns the groups of features and the label.
func (tabpfnFamily) tokens(m *Model, columns int) float64 {
	group := 1
	if t := m.bundle.Manifest.TabPFN; t != nil {
		group = max(t.FeaturesPerGroup, 1)
	} else if n := m.bundle.Manifest.Nori; n != nil {
		group = n.FeaturesPerGroup
	}
	return math.Ceil(float64(columns)/float64(group)) + 1
}

// tolerances returns those of members with columns of their own: golden vectors are written with 9
// digits (probabilities and outputs of networks with 7), and the logits of a network of 12 or 24
// layers differ by up to 1e-4 between processors.
func (tabpfnFamily) tolerances() tolerances {
	return tolerances{network: 1e-3, result: 5e-4, mass: 1e-4, probabilities: 1e-4}
}

// fit keeps a copy of the table, for a saved state.
func (tabpfnFamily) fit(m *Model, t *table, members int) (ensemble, []lesson, error) {
	kept := t.Training
	kept.X.Data, kept.Y = slices.Clone(t.X.Data), slices.Clone(t.Y)
	kept.Categorical = slices.Clone(t.Categorical)
	preset := tabpfnPreset(m, members, t.classes)
	e := tabpfnEnsemble{tabpfn.Fit(kept.X, kept.Y, kept.Categorical, preset), kept, preset}
	if e.Transformer == nil {
		return none{}, nil, nil
	}
	if e.Blind {
		return nil, nil, &InputError{Table: "context", Row: -1, Col: -1, Msg: fmt.Sprintf(
			"a member of model %s reads only features that do not vary; "+
				"drop features that do not vary", m.Name())}
	}
	for b := range e.members() {
		widest := math.MaxInt
		if t := m.bundle.Manifest.TabPFN; t != nil {
			widest = t.MaxWidth()
		}
		if width := e.Width(b); width > widest {
			return nil, nil, &InputError{Table: "context", Row: -1, Col: -1, Msg: fmt.Sprintf(
				"features and their categories take %d columns, but model %s reads at most %d; "+
					"drop features or merge rare categories", width, m.Name(), widest)}
		}
	}
	lessons := make([]lesson, e.members())
	for b, x := range tensorsOf(kept.X.Rows, e.Context(kept.X)) {
		lessons[b] = lesson{x, ort.Tensor{Shape: shape(1, kept.X.Rows), Data: e.labels(b, t)}}
	}
	return e, lessons, nil
}

// restore fits the pipelines to the saved table again, which gives the same bits.
func (tabpfnFamily) restore(
	m *Model, s *State, classes int,
) (ensemble, [][]cacheHeader, error) {
	h := cmp.Or(s.header.Bars, s.header.Nori)
	t, err := h.training(s)
	if err != nil {
		return nil, nil, err
	}
	preset := tabpfnPreset(m, h.Members, classes)
	preset.Fingerprint = h.Fingerprint
	return tabpfnEnsemble{tabpfn.Fit(t.X, t.Y, t.Categorical, preset), t, preset}, h.Caches, nil
}

// tabpfnEnsemble is an ensemble for a network of the TabPFN family.
type tabpfnEnsemble struct {
	*tabpfn.Transformer
	training Training // for a saved state
	preset   tabpfn.Preset
}

func (e tabpfnEnsemble) members() int  { return len(e.Members) }
func (e tabpfnEnsemble) features() int { return e.Features() }

// labels returns the target in the form of a member.
func (e tabpfnEnsemble) labels(member int, t *table) []float32 {
	if order := e.order(member); order != nil || e.preset.Nori != nil {
		return t.labels(order)
	}
	return e.Labels(member)
}

func (e tabpfnEnsemble) order(member int) []int { return e.Members[member].Classes }

func (e tabpfnEnsemble) shares() []float64 {
	return distr.Shares(e.training.Y, e.preset.Classes)
}

func (e tabpfnEnsemble) queries(x Matrix) []ort.Tensor { return tensorsOf(x.Rows, e.Queries(x)) }

func (e tabpfnEnsemble) composition(member int) goldenMember {
	m := e.Members[member]
	return goldenMember{Pipeline: string(m.Pipeline), PowerTarget: m.PowerTarget,
		Classes: m.Classes, Seed: m.Seed, Permutation: e.Permutation(member)}
}

func (e tabpfnEnsemble) save(h *stateHeader, tensors [][]cacheHeader) [][]float64 {
	own := &ownHeader{Members: e.members(), Categorical: e.training.Categorical,
		Fingerprint: e.preset.Fingerprint, Caches: tensors}
	if e.preset.Nori == nil {
		h.Bars = own
	} else {
		h.Nori = own
	}
	return [][]float64{e.training.X.Data, e.training.Y}
}

// tabpfnPreset returns the composition of an ensemble for this number of classes, 0 for a
// regression.
func tabpfnPreset(m *Model, members, classes int) tabpfn.Preset {
	manifest := &m.bundle.Manifest
	preset := tabpfn.Preset{Parts: manifest.Parts, Members: members, Seed: manifest.Ensemble.Seed,
		Norms: manifest.Ensemble.Norms, Classes: classes, Borders: m.bundle.Borders(),
		Fingerprint: !m.options.NoFingerprint}
	if t := manifest.TabPFN; t != nil {
		preset.Fingerprint = t.Fingerprint && preset.Fingerprint
	}
	if classes > 0 {
		preset.ClassShuffle = manifest.Classes.Shuffle
	}
	return preset
}
