package models

import (
	"fmt"
	"slices"

	"github.com/pfnamp/pfnamp/internal/wire"
)

// PresetNori is the version of the synthefy-nori package whose pipelines this program has.
const PresetNori = "0.22.0"

// Bounds of a table. Of a larger one the package reads a part of the rows, or projects the columns
// of context and query rows together.
const (
	maxNoriRows     = 10_000
	maxNoriFeatures = 256
)

// Nori is what only bundles of that family say.
type Nori struct {
	Preset           string         `json:"preset"`             // PresetNori
	FeaturesPerGroup int            `json:"features_per_group"` // columns that share a token
	Pipelines        []NoriPipeline `json:"pipelines"`          // which members take in turn
}

// NoriPipeline is how a member makes its columns, by the steps that it has.
type NoriPipeline struct {
	Subsampler  bool   `json:"subsampler"`  // a choice of columns, which is of all of them
	Products    int    `json:"products"`    // of two columns, 0 for no such step
	Transform   string `json:"transform"`   // "none", "quantile" or "adaptive"
	Original    bool   `json:"original"`    // all columns stay in front of the transformed ones
	Components  bool   `json:"components"`  // singular components follow
	Categories  bool   `json:"categories"`  // codes of very common categories are permuted
	Fingerprint bool   `json:"fingerprint"` // a hash of the row follows
	Shuffle     bool   `json:"shuffle"`     // columns are in random order
}

var noriTransforms = []string{"none", "quantile", "adaptive"}

// checkNori checks the ensemble and the part of a Nori bundle.
func (m *Manifest) checkNori() error {
	if err := m.checkPairs(); err != nil {
		return err
	}
	n := m.Nori
	switch {
	case n.Preset != PresetNori:
		return fmt.Errorf("nori.preset %q is unknown (known: %s)", n.Preset, PresetNori)
	case n.FeaturesPerGroup < 1 || n.FeaturesPerGroup > 16:
		return fmt.Errorf("nori.features_per_group %d is outside 1..16", n.FeaturesPerGroup)
	case len(n.Pipelines) < 1 || len(n.Pipelines) > 64:
		return fmt.Errorf("nori.pipelines: their number %d is outside 1..64", len(n.Pipelines))
	case m.Limits.MaxRows > maxNoriRows || m.Limits.MaxFeatures > maxNoriFeatures:
		return fmt.Errorf("limits: the family %q takes at most %d rows and %d features, not %d and %d",
			NoriFamily, maxNoriRows, maxNoriFeatures, m.Limits.MaxRows, m.Limits.MaxFeatures)
	}
	var norms []string
	for i, p := range n.Pipelines {
		norms = append(norms, p.Transform)
		if err := known("transform", p.Transform, noriTransforms); err != nil {
			return fmt.Errorf("nori.pipelines[%d].%w", i, err)
		}
		if p.Products < 0 || p.Products > 1000 {
			return fmt.Errorf("nori.pipelines[%d].products %d is outside 0..1000", i, p.Products)
		}
		if p.Transform == "none" && (p.Original || p.Components) {
			return fmt.Errorf("nori.pipelines[%d] has original columns or components, but no transform", i)
		}
	}
	if !slices.Equal(norms, m.Ensemble.Norms) {
		return fmt.Errorf("ensemble.norms are %q, but nori.pipelines have %q", m.Ensemble.Norms, norms)
	}
	return nil
}

// noriCaches are the names of the outputs of the context graph.
func noriCaches([]wire.Port) []string { return []string{ColumnsInput, TargetInput, CacheInput} }
