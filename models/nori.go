package models

import (
	"cmp"
	"fmt"
	"slices"
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

func (m *Manifest) checkNori() error {
	n := m.Nori
	err := cmp.Or(m.checkPairs(), known("nori.preset", n.Preset, PresetNori),
		within("nori.features_per_group", n.FeaturesPerGroup, 1, 16),
		within("nori.pipelines: their number", len(n.Pipelines), 1, 64),
		within("limits.max_rows", m.Limits.MaxRows, 0, maxNoriRows),
		within("limits.max_features", m.Limits.MaxFeatures, 0, maxNoriFeatures))
	var norms []string
	for i, p := range n.Pipelines {
		at := fmt.Sprintf("nori.pipelines[%d]", i)
		norms = append(norms, p.Transform)
		err = cmp.Or(err, known(at+".transform", p.Transform, "none", "quantile", "adaptive"),
			within(at+".products", p.Products, 0, 1000))
		if err == nil && p.Transform == "none" && (p.Original || p.Components) {
			err = fmt.Errorf("%s has original columns or components, but no transform", at)
		}
	}
	if err != nil {
		return err
	}
	if !slices.Equal(norms, m.Ensemble.Norms) {
		return fmt.Errorf("ensemble.norms are %q, but nori.pipelines have %q", m.Ensemble.Norms, norms)
	}
	return nil
}
