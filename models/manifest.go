package models

import (
	"cmp"
	"encoding/hex"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/pfnamp/pfnamp/internal/strictjson"
)

// FormatVersion is the bundle format that this package reads.
const FormatVersion = 1

// Names of the two graphs of every bundle.
const (
	ContextGraph = "context"
	QueryGraph   = "query"
)

// Names of the outputs of the query graph. SurfaceOutput exists if the manifest has Surface,
// ClassPosteriorOutput if it has ClassPosterior.
const (
	QuantileOutput = "quantiles" // [B,M,Q] quantiles of the label
	SurfaceOutput  = "surface"   // [B,M,K+1,J] see Surface

	ClassPosteriorOutput = "class_posterior" // [B,M,Head.Levels,J] see ClassPosterior
)

// Int8 is the precision that has golden tolerances: large products run on 8-bit integers.
const Int8 = "int8"

// Kinds of Head: the network's output for the label.
const (
	QuantileHead = "quantiles" // quantiles of a number
	BarHead      = "bars"      // logits of bars of a number
	ClassHead    = "classes"   // logits of classes
)

// Manifest describes a bundle; it is manifest.json, field for field.
type Manifest struct {
	Format         int             `json:"format"`      // FormatVersion
	Name           string          `json:"name"`        // short name, letters, digits and "._-"
	Version        string          `json:"version"`     // version of the weights
	Family         string          `json:"family"`      // see Families
	Task           string          `json:"task"`        // RegressionTask or ClassificationTask
	Description    string          `json:"description"` // one sentence
	Opset          int             `json:"opset"`       // ONNX opset of the graphs
	Head           Head            `json:"head"`
	Surface        *Surface        `json:"surface,omitempty"`         // nil: no such output
	Classes        *Classification `json:"classification,omitempty"`  // classification only
	ClassPosterior *ClassPosterior `json:"class_posterior,omitempty"` // nil: no such output
	Limits         Limits          `json:"limits"`
	Ensemble       Ensemble        `json:"ensemble"`
	Parts
	Graphs map[string]File `json:"graphs"` // by name
	Golden File            `json:"golden"`
	// GoldenTolerances are the differences from the golden vectors that a precision other than
	// float32 may cause, by precision: of the network's output and of results, as the exporter
	// measured it. Without an entry pfn.Verify has a tolerance of its own.
	GoldenTolerances map[string]float64 `json:"golden_tolerances,omitempty"`
	Licence          Licence            `json:"licence"`
	Provenance       Provenance         `json:"provenance"`
	// Companion is the bundle whose posterior answers for a network without one of its own: the
	// embedded one of the task. It is not in manifest.json; nil if the network has a posterior.
	Companion *Bundle `json:"-"`
}

// Head describes the network's output for a query row.
type Head struct {
	Kind string `json:"kind"` // QuantileHead, ClassHead, or BarHead for TabPFN
	// Levels is the number Q of quantiles, at the levels i/(Q+1), or the number of bars, or the
	// largest number of classes of the network.
	Levels int `json:"levels"`
}

// Limits are the limits of tables for which the network was made.
type Limits struct {
	MinRows     int `json:"min_rows"`     // least context rows
	MaxRows     int `json:"max_rows"`     // most context rows
	MaxFeatures int `json:"max_features"` // most feature columns
	// MaxClasses is the largest number of classes if a classifier handles more than it has outputs,
	// otherwise 0.
	MaxClasses int `json:"max_classes,omitempty"`
}

// Ensemble is the preset of ensemble members.
type Ensemble struct {
	Members          int      `json:"members"`           // number of members
	Norms            []string `json:"norms"`             // feature pipelines
	Shuffle          string   `json:"shuffle"`           // order of features
	Seed             uint64   `json:"seed"`              // seed of the shuffles
	OutlierThreshold float64  `json:"outlier_threshold"` // soft clip beyond this many deviations
	// Trends are the trends of the members in turn, "none", "linear" or "kernel"; nil for none. A
	// member of a regression reads the residuals of its trend. Members are weighted by how narrow
	// their distributions are. A member of a classifier reads predictions of the classes' shares.
	Trends []string `json:"trends,omitempty"`
}

// File names a file of the bundle and its hash.
type File struct {
	File   string `json:"file"`   // slash-separated path inside the bundle
	SHA256 string `json:"sha256"` // lower-case hexadecimal
}

// Licence is the licence of the weights.
type Licence struct {
	SPDX   string `json:"spdx"`   // SPDX identifier
	File   string `json:"file"`   // licence text in the bundle
	Notice string `json:"notice"` // attribution to print, may be empty
	// Acceptance reports that the user must accept the licence before the bundle is imported, as
	// non-commercial licences require.
	Acceptance bool `json:"acceptance,omitempty"`
}

// Provenance describes the origin of the weights.
type Provenance struct {
	Weights          string            `json:"weights"`           // origin in words
	Parameters       int64             `json:"parameters"`        // number of weights
	CheckpointSHA256 string            `json:"checkpoint_sha256"` // of the exported checkpoint
	Tools            map[string]string `json:"tools"`             // versions of the exporter's tools
	// RecipeSHA256 is the hash of the recipe that made the weights (scripts/training/recipes), or
	// "".
	RecipeSHA256 string `json:"recipe_sha256,omitempty"`
}

// Own reports whether the network has a second output, a posterior of its own.
func (m *Manifest) Own() bool { return m.Surface != nil || m.ClassPosterior != nil }

// Learned returns the manifest of the network whose posterior answers: this one, that of the
// companion, or nil.
func (m *Manifest) Learned() *Manifest {
	switch {
	case m.Own():
		return m
	case m.Companion != nil:
		return &m.Companion.Manifest
	}
	return nil
}

func parseManifest(data []byte) (Manifest, error) {
	var m Manifest
	if err := strictjson.Decode(data, &m); err != nil {
		return Manifest{}, err
	}
	checks := []func() error{
		m.checkIdentity, m.checkHead, m.checkLimits, m.checkFamily,
		m.checkClasses, m.checkMaxClasses, m.checkSurface, m.checkClassPosterior, m.checkFiles,
		m.checkTolerances, m.checkLicence,
	}
	for _, check := range checks {
		if err := check(); err != nil {
			return Manifest{}, err
		}
	}
	return m, nil
}

func (m *Manifest) checkIdentity() error {
	switch {
	case m.Format != FormatVersion:
		return fmt.Errorf("the format is %d, but this version reads format %d", m.Format, FormatVersion)
	case !isName(m.Name):
		return fmt.Errorf("name %q is not made of letters, digits and \"._-\"", m.Name)
	case !isName(m.Version):
		return fmt.Errorf("version %q is not made of letters, digits and \"._-\"", m.Version)
	}
	return cmp.Or(known("family", m.Family, Families()...),
		known("task", m.Task, RegressionTask, ClassificationTask),
		within("opset", m.Opset, minOpset, maxOpset))
}

func (m *Manifest) checkHead() error {
	kind, ok := families[m.Family].heads[m.Task]
	least := 8
	if kind == ClassHead {
		least = 2
	}
	switch {
	case !ok:
		return fmt.Errorf("the family %[2]q has no task %[1]q", m.Task, m.Family)
	case m.Head.Kind != kind:
		return fmt.Errorf("head.kind is %q, but this family and task need %s", m.Head.Kind, kind)
	}
	return within("head.levels", m.Head.Levels, least, 1<<16)
}

func (m *Manifest) checkLimits() error {
	l := m.Limits
	return cmp.Or(within("limits.min_rows", l.MinRows, 2, l.MaxRows),
		within("limits.max_rows", l.MaxRows, 2, 1<<24),
		within("limits.max_features", l.MaxFeatures, 1, 1<<16))
}

// within refuses a number outside a range, whose ends are possible.
func within(field string, v, least, most int) error {
	if v < least || v > most {
		return fmt.Errorf("%s %d is outside %d..%d", field, v, least, most)
	}
	return nil
}

// inRange is within for numbers that are not whole.
func inRange(field string, v, least, most float64) error {
	if !(v >= least && v <= most) {
		return fmt.Errorf("%s %g is outside %g..%g", field, v, least, most)
	}
	return nil
}

// known refuses a name that is not one of some.
func known(field, value string, names ...string) error {
	if slices.Contains(names, value) {
		return nil
	}
	return fmt.Errorf("%s %q is unknown (known: %s)", field, value, strings.Join(names, ", "))
}

func (m *Manifest) checkFiles() error {
	names := m.graphNames()
	if len(m.Graphs) != len(names) {
		return fmt.Errorf("graphs has %d entries instead of %q", len(m.Graphs), names)
	}
	for _, name := range names {
		graph, ok := m.Graphs[name]
		if !ok {
			return fmt.Errorf("graphs has no %q", name)
		}
		if err := checkFile("graphs."+name, graph); err != nil {
			return err
		}
	}
	return checkFile("golden", m.Golden)
}

// checkTolerances refuses tolerances of unknown precisions, and those of more than a standard
// deviation, which nothing exceeds.
func (m *Manifest) checkTolerances() error {
	for _, precision := range slices.Sorted(maps.Keys(m.GoldenTolerances)) {
		const least = 1e-12
		err := cmp.Or(known("golden_tolerances: the precision", precision, Int8),
			inRange("golden_tolerances."+precision, m.GoldenTolerances[precision], least, 1))
		if err != nil {
			return err
		}
	}
	return nil
}

func (m *Manifest) checkLicence() error {
	if m.Licence.SPDX == "" {
		return fmt.Errorf("licence.spdx is empty")
	}
	if err := checkPath(m.Licence.File); err != nil {
		return fmt.Errorf("licence.file: %w", err)
	}
	if m.Provenance.Parameters < 0 {
		return fmt.Errorf("provenance.parameters is negative")
	}
	if sum := m.Provenance.RecipeSHA256; sum != "" && !isSHA256(sum) {
		return fmt.Errorf("provenance.recipe_sha256 %q is not 64 lower-case hexadecimal digits", sum)
	}
	return nil
}

func checkFile(field string, f File) error {
	if err := checkPath(f.File); err != nil {
		return fmt.Errorf("%s.file: %w", field, err)
	}
	if !isSHA256(f.SHA256) {
		return fmt.Errorf("%s.sha256 %q is not 64 lower-case hexadecimal digits", field, f.SHA256)
	}
	return nil
}

func isSHA256(s string) bool {
	sum, err := hex.DecodeString(s)
	return err == nil && len(sum) == 32 && strings.ToLower(s) == s
}

// checkPath refuses paths that are not relative and slash-separated inside the bundle.
func checkPath(name string) error {
	bad := !fs.ValidPath(name) || name == "." || path.Clean(name) != name ||
		strings.ContainsAny(name, "\\:\x00")
	if bad {
		return fmt.Errorf("the path %q leads out of the bundle", name)
	}
	return nil
}

func isName(s string) bool {
	if s == "" || len(s) > 100 {
		return false
	}
	for _, r := range s {
		letter := r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z'
		if !letter && (r < '0' || r > '9') && !strings.ContainsRune("._-+", r) {
			return false
		}
	}
	return true
}
