package models

import (
	"encoding/binary"
	"fmt"
	"math"
	"slices"
	"strings"
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

// checkPairs checks the ensemble of a TabPFN bundle.
func (m *Manifest) checkPairs() error {
	e := m.Ensemble
	switch {
	case e.Members < 1 || e.Members > 1024:
		return fmt.Errorf("ensemble.members %d is outside 1..1024", e.Members)
	case e.Shuffle != "permutation":
		return fmt.Errorf("ensemble.shuffle %q is unknown (known: permutation)", e.Shuffle)
	case e.OutlierThreshold != 0:
		return fmt.Errorf("ensemble.outlier_threshold is %g instead of 0", e.OutlierThreshold)
	}
	return nil
}

// checkTabPFN checks the ensemble and the part of a TabPFN bundle.
func (m *Manifest) checkTabPFN() error {
	if err := m.checkPairs(); err != nil {
		return err
	}
	t := m.TabPFN
	if err := m.checkNorms(); err != nil {
		return err
	}
	most := 2 // features per token
	if t.Preset != PresetOld {
		most = 16
	}
	switch {
	case t.SVDSign != "components":
		return fmt.Errorf("tabpfn.svd_sign %q is unknown (known: components)", t.SVDSign)
	case t.FeaturesPerGroup < 1 || t.FeaturesPerGroup > most:
		return fmt.Errorf("tabpfn.features_per_group %d is outside 1..%d", t.FeaturesPerGroup,
			most)
	case t.Groups < 1 || t.Groups > 1<<16:
		return fmt.Errorf("tabpfn.groups %d is outside 1..65536", t.Groups)
	}
	return m.checkBars()
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
	case !(t.Temperature >= 0.01 && t.Temperature <= 100):
		return fmt.Errorf("tabpfn.temperature %g is outside 0.01..100", t.Temperature)
	case t.CDF != CDFWithSlip && t.CDF != CDFFixed:
		return fmt.Errorf("tabpfn.cdf %q is unknown (known: 2.0.5, fixed)", t.CDF)
	case t.Tails != TailsCompat && t.Tails != TailsFullLength:
		return fmt.Errorf("tabpfn.tails %q is unknown (known: compat, full-support)", t.Tails)
	case t.Borders == nil:
		return fmt.Errorf("tabpfn.borders is missing for the task %q", m.Task)
	}
	return checkFile("tabpfn.borders", *t.Borders)
}

// Borders returns the ascending borders of the bars of a TabPFN regressor in standardised units,
// one more than head.levels, and nil for other bundles. Do not change them.
func (b *Bundle) Borders() []float32 { return b.borders }

// loadBorders reads the borders of a TabPFN regressor.
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
	componentNames = []string{"none", "svd", "svd_quarter_components"}
	appends        = []string{"yes", "no", "auto"}
	targets        = []string{"none", "safepower"}
	subsets        = []string{"random", "balanced"}
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

// check refuses unknown steps.
func (r *Recipe) check(classifier bool) error {
	if n := len(r.Pipelines); n < 1 || n > 64 {
		return fmt.Errorf("tabpfn.recipe.pipelines: their number %d is outside 1..64", n)
	}
	for i, p := range r.Pipelines {
		if err := p.check(); err != nil {
			return fmt.Errorf("tabpfn.recipe.pipelines[%d].%w", i, err)
		}
		if r.Products != 0 && p.MaxColumns > maxProducts {
			return fmt.Errorf("tabpfn.recipe.pipelines[%d].max_columns %d is more than %d, "+
				"the most with products", i, p.MaxColumns, maxProducts)
		}
	}
	switch n := len(r.Targets); {
	case classifier && n > 0:
		return fmt.Errorf("tabpfn.recipe.targets: %d are given for a classifier", n)
	case !classifier && (n < 1 || n > 64):
		return fmt.Errorf("tabpfn.recipe.targets: their number %d is outside 1..64", n)
	}
	for _, target := range r.Targets {
		if err := known("targets", target, targets); err != nil {
			return fmt.Errorf("tabpfn.recipe.%w", err)
		}
	}
	if err := known("subsets", r.Subsets, subsets); err != nil {
		return fmt.Errorf("tabpfn.recipe.%w", err)
	}
	if r.Products < -1 || r.Products > maxProducts {
		return fmt.Errorf("tabpfn.recipe.products %d is outside -1..%d", r.Products, maxProducts)
	}
	if r.MaxCategories < 0 || r.RowsToInfer < 0 || r.FewestForNumber < 0 {
		return fmt.Errorf("tabpfn.recipe: a size is negative")
	}
	return nil
}

func (p Pipeline) check() error {
	for _, field := range []struct {
		name, value string
		known       []string
	}{
		{"transform", p.Transform, transforms}, {"append", p.Append, appends},
		{"categories", p.Categories, encodings}, {"components", p.Components, componentNames},
	} {
		if err := known(field.name, field.value, field.known); err != nil {
			return err
		}
	}
	if p.MaxOneHot < 0 || p.MaxColumns < 1 || p.MaxColumns > 1<<20 {
		return fmt.Errorf("max_columns %d is outside 1..2^20, or max_onehot %d is negative",
			p.MaxColumns, p.MaxOneHot)
	}
	return nil
}

// known refuses an unknown step.
func known(field, value string, names []string) error {
	if slices.Contains(names, value) {
		return nil
	}
	return fmt.Errorf("%s: the step %q is unknown (known: %s)", field, value,
		strings.Join(names, ", "))
}
