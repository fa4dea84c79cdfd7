package models

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"math"
	"slices"
)

// Outputs and inputs of the graphs of a TabPFN bundle. v3 and v3.5 replace target and cache by
// scales and by the keys and values of every block. v3.5 also has ranks.
const (
	ColumnsInput = "columns" // [1, 5 or 6, padded], with v3 [1, 2, C]: statistics of the columns
	RanksInput   = "ranks"   // [1, 3, C, K]: edges of every column, rows below and up to them
	TargetInput  = "target"  // [1, width]: the token of an unknown label
	CacheInput   = "cache"   // [2*layers, 1, tokens, rows, head]: keys and values
	ScalesInput  = "scales"  // [1, layers, width]: factors of queries
	LogitsOutput = "logits"  // [1, queries, bars], in classifiers [B, queries, classes]
)

// Values of TabPFN.CDF and TabPFN.Tails.
const (
	CDFWithSlip     = "2.0.5"        // the border translation of tabpfn 2.0.5 to 2.0.9
	CDFFixed        = "fixed"        // that of later versions
	TailsCompat     = "compat"       // quantiles end at the outermost borders
	TailsFullLength = "full-support" // half-normal tails throughout
)

// TabPFN is the part of a manifest for this family only. Temperature, CDF, Tails and Borders are
// about bars; a classifier has none of them.
type TabPFN struct {
	Preset           string  `json:"preset"`                // tabpfn version of the pipelines
	Temperature      float64 `json:"temperature,omitempty"` // divides the logits of bars
	Fingerprint      bool    `json:"fingerprint"`           // members read a hash of the row
	CDF              string  `json:"cdf,omitempty"`         // CDFWithSlip or CDFFixed
	Tails            string  `json:"tails,omitempty"`       // TailsCompat or TailsFullLength
	SVDSign          string  `json:"svd_sign"`              // "components": largest entry positive
	FeaturesPerGroup int     `json:"features_per_group"`    // columns that share a token
	Groups           int     `json:"groups"`                // most groups that a graph reads
	Borders          *File   `json:"borders,omitempty"`     // float32 little-endian, levels + 1
	Recipe           *Recipe `json:"recipe,omitempty"`      // nil for PresetOld
}

// MaxWidth returns the largest number of columns of a member.
func (t *TabPFN) MaxWidth() int { return t.Groups * t.FeaturesPerGroup }

func (m *Manifest) checkPairs() error {
	e := m.Ensemble
	return cmp.Or(within("ensemble.members", e.Members, 1, 1024),
		known("ensemble.shuffle", e.Shuffle, "permutation"),
		inRange("ensemble.outlier_threshold", e.OutlierThreshold, 0, 0))
}

func (m *Manifest) checkTabPFN() error {
	t, most := m.TabPFN, 2 // features per token
	if t.Preset != PresetOld {
		most = 16
	}
	return cmp.Or(m.checkPairs(), m.checkNorms(), known("tabpfn.svd_sign", t.SVDSign, "components"),
		within("tabpfn.features_per_group", t.FeaturesPerGroup, 1, most),
		within("tabpfn.groups", t.Groups, 1, 1<<16), m.checkBars())
}

// checkBars checks the bars of a TabPFN regressor, and that a classifier has none.
func (m *Manifest) checkBars() error {
	t := m.TabPFN
	switch {
	case m.Classifier():
		if t.Temperature != 0 || t.CDF != "" || t.Tails != "" || t.Borders != nil {
			return fmt.Errorf("tabpfn has temperature, cdf, tails or borders for the task %q", m.Task)
		}
		return nil
	case t.Borders == nil:
		return fmt.Errorf("tabpfn.borders is missing for the task %q", m.Task)
	}
	return cmp.Or(inRange("tabpfn.temperature", t.Temperature, 0.01, 100),
		known("tabpfn.cdf", t.CDF, CDFWithSlip, CDFFixed),
		known("tabpfn.tails", t.Tails, TailsCompat, TailsFullLength),
		checkFile("tabpfn.borders", *t.Borders))
}

// Borders returns the ascending borders of the bars of a TabPFN regressor in standardised units,
// one more than head.levels, and nil for other bundles. Do not change them.
func (b *Bundle) Borders() []float32 { return b.borders }

func (l loader) loadBorders(b *Bundle) error {
	t := b.Manifest.TabPFN
	if t == nil || b.Manifest.Classifier() {
		return nil
	}
	data, err := l.pinned(*t.Borders, maxGolden)
	if err != nil {
		return err
	}
	if b.borders, err = parseBorders(data, b.Manifest.Head.Levels); err != nil {
		return &Error{Bundle: l.source, File: t.Borders.File, Msg: "the borders are invalid", Err: err,
			Hint: "export the bundle again"}
	}
	return nil
}

func parseBorders(data []byte, bars int) ([]float32, error) {
	if len(data) != 4*(bars+1) {
		return nil, fmt.Errorf("the file has %d bytes instead of %d for %d bars",
			len(data), 4*(bars+1), bars)
	}
	borders := make([]float32, bars+1)
	for i := range borders {
		b := math.Float32frombits(binary.LittleEndian.Uint32(data[4*i:]))
		if b-b != 0 || i > 0 && b <= borders[i-1] {
			return nil, fmt.Errorf("border %d is %g, but borders must ascend", i, b)
		}
		borders[i] = b
	}
	return borders, nil
}

// Values of TabPFN.Preset: versions of the tabpfn package with pipelines in this program.
const (
	PresetOld = "2.0.9" // for TabPFN v2
	PresetNew = "8.4.0" // for TabPFN v2.5 to v3, with a recipe
	Preset9   = "9.2.0" // for TabPFN v3.5, with a recipe; same results as the pipelines of 8.4.0
)

// Recipe is the composition of an ensemble of package 8.4.0 or 9.2.0, whose networks contain it.
type Recipe struct {
	Pipelines       []Pipeline `json:"pipelines"`         // in the order of ensemble.norms
	Targets         []string   `json:"targets,omitempty"` // of numbers: "none" or "safepower"
	Subsets         string     `json:"subsets"`           // of columns: "random" or "balanced"
	Products        int        `json:"products"`          // of two columns, -1 for all, 0 for none
	MaxCategories   int        `json:"max_categories"`    // most values of a declared category
	RowsToInfer     int        `json:"rows_to_infer"`     // more rows are needed to infer a category
	FewestForNumber int        `json:"fewest_for_number"` // distinct values of a number
}

// Pipeline is a feature pipeline. The names of its steps are the package's.
type Pipeline struct {
	Transform  string `json:"transform"`   // of numbers
	Append     string `json:"append"`      // "yes", "no" or "auto"
	Categories string `json:"categories"`  // encoding of categorical columns
	MaxOneHot  int    `json:"max_onehot"`  // most values for indicators, 0 for any
	Components string `json:"components"`  // singular components
	MaxColumns int    `json:"max_columns"` // most columns that a member reads
}

// Steps of this program, as in scripts/export/tabpfn/recipe.py.
var (
	transforms = []string{"none", "quantile_uni", "quantile_uni_coarse", "quantile_uni_fine",
		"quantile_uni_extrapolate", "quantile_norm", "quantile_norm_coarse", "quantile_norm_fine",
		"safepower", "robust", "squashing_scaler_default", "squashing_scaler_max10"}
	encodings = []string{"none", "numeric", "onehot", "ordinal", "ordinal_shuffled",
		"ordinal_very_common_categories_shuffled"}
)

// maxProducts limits the products of columns, and the columns of a member with products.
const maxProducts = 1 << 13

// checkNorms compares the names of the feature pipelines with the preset.
func (m *Manifest) checkNorms() error {
	norms, t := m.Ensemble.Norms, m.TabPFN
	switch t.Preset {
	case PresetOld:
		need := []string{"quantile", "power"}
		if m.Classifier() {
			need[1] = "none"
		}
		if !slices.Equal(norms, need) {
			return fmt.Errorf("ensemble.norms are %q instead of %s and %s", norms, need[0], need[1])
		}
		if t.Recipe != nil {
			return fmt.Errorf("tabpfn.recipe is given for the preset %s", t.Preset)
		}
		return nil
	case PresetNew, Preset9:
		if t.Recipe == nil {
			return fmt.Errorf("tabpfn.recipe is missing for the preset %s", t.Preset)
		}
		if len(norms) != len(t.Recipe.Pipelines) {
			return fmt.Errorf("ensemble.norms are %q for %d pipelines", norms,
				len(t.Recipe.Pipelines))
		}
		if sorted := slices.Sorted(slices.Values(norms)); len(slices.Compact(sorted)) < len(norms) {
			return fmt.Errorf("ensemble.norms %q repeat a name", norms)
		}
		return t.Recipe.check(m.Classifier())
	}
	return fmt.Errorf("tabpfn.preset %q is unknown (known: %s, %s, %s)", t.Preset,
		PresetOld, PresetNew, Preset9)
}

func (r *Recipe) check(classifier bool) error {
	const at = "tabpfn.recipe."
	most, products := 1<<20, r.Products // columns of a member
	if products != 0 {
		most = maxProducts
	}
	least, targets := 1, r.Targets
	if classifier {
		least = 0
	}
	err := cmp.Or(within(at+"pipelines: their number", len(r.Pipelines), 1, 64),
		within(at+"targets: their number", len(targets), least, 64*least),
		known(at+"subsets", r.Subsets, "random", "balanced"),
		within(at+"products", products, -1, maxProducts),
		within(at+"max_categories", r.MaxCategories, 0, math.MaxInt32),
		within(at+"rows_to_infer", r.RowsToInfer, 0, math.MaxInt32),
		within(at+"fewest_for_number", r.FewestForNumber, 0, math.MaxInt32))
	for _, target := range targets {
		err = cmp.Or(err, known(at+"targets", target, "none", "safepower"))
	}
	for i, p := range r.Pipelines {
		err = cmp.Or(err, p.check(fmt.Sprintf("%spipelines[%d].", at, i), most))
	}
	return err
}

// check refuses unknown steps, and more columns of a member than most.
func (p Pipeline) check(at string, most int) error {
	return cmp.Or(known(at+"transform", p.Transform, transforms...),
		known(at+"append", p.Append, "yes", "no", "auto"),
		known(at+"categories", p.Categories, encodings...),
		known(at+"components", p.Components, "none", "svd", "svd_quarter_components"),
		within(at+"max_onehot", p.MaxOneHot, 0, math.MaxInt32),
		within(at+"max_columns", p.MaxColumns, 1, most))
}
