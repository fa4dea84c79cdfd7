package models

import (
	"encoding/hex"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/pfnamp/pfnamp/internal/strictjson"
)

// FormatVersion is the bundle format that this package reads.
const FormatVersion = 1

// Names of the two graphs that every bundle has.
const (
	ContextGraph = "context"
	QueryGraph   = "query"
)

// Names of the outputs of the query graph. SurfaceOutput is there if the manifest has Surface,
// ClassPosteriorOutput if it has ClassPosterior.
const (
	QuantileOutput = "quantiles" // [B,M,Q] quantiles of the label
	SurfaceOutput  = "surface"   // [B,M,K+1,J] see Surface

	ClassPosteriorOutput = "class_posterior" // [B,M,Head.Levels,J] see ClassPosterior
)

// Kinds of Head: what the network returns of the label.
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
	Family         string          `json:"family"`      // TabICLFamily or TabPFNFamily
	Task           string          `json:"task"`        // RegressionTask or ClassificationTask
	Description    string          `json:"description"` // one sentence
	Opset          int             `json:"opset"`       // ONNX opset of the graphs
	Head           Head            `json:"head"`
	Surface        *Surface        `json:"surface,omitempty"`         // nil: no such output
	Classes        *Classification `json:"classification,omitempty"`  // of that task, otherwise nil
	ClassPosterior *ClassPosterior `json:"class_posterior,omitempty"` // nil: no such output
	Limits         Limits          `json:"limits"`
	Ensemble       Ensemble        `json:"ensemble"`
	TabPFN         *TabPFN         `json:"tabpfn,omitempty"` // of that family, otherwise nil
	Graphs         map[string]File `json:"graphs"`           // by name
	Golden         File            `json:"golden"`
	Licence        Licence         `json:"licence"`
	Provenance     Provenance      `json:"provenance"`
}

// Head says what the network returns for a query row.
type Head struct {
	Kind string `json:"kind"` // QuantileHead, ClassHead, or BarHead for TabPFN
	// Levels is the number Q of quantiles, at the levels i/(Q+1), that of bars, or the most
	// classes that the network tells apart.
	Levels int `json:"levels"`
}

// Limits bounds the tables for which the network was made.
type Limits struct {
	MinRows     int `json:"min_rows"`     // least context rows
	MaxRows     int `json:"max_rows"`     // most context rows
	MaxFeatures int `json:"max_features"` // most feature columns
	// MaxClasses is the most classes of a classifier that takes more than it has outputs,
	// otherwise 0.
	MaxClasses int `json:"max_classes,omitempty"`
}

// Ensemble is the preset of ensemble members.
type Ensemble struct {
	Members          int      `json:"members"`           // number of members
	Norms            []string `json:"norms"`             // feature pipelines
	Shuffle          string   `json:"shuffle"`           // order of features
	Seed             uint64   `json:"seed"`              // seed of the shuffles
	OutlierThreshold float64  `json:"outlier_threshold"` // soft clip beyond so many deviations
	// Trends are the trends of the members in turn, "none", "linear" or "kernel"; nil for none. A
	// member of a regression reads what its trend leaves of the target, and members are averaged with
	// weights by how narrow their distributions are; one of a classifier reads predictions of the
	// classes' shares.
	Trends []string `json:"trends,omitempty"`
}

// File names a file of the bundle and pins its content.
type File struct {
	File   string `json:"file"`   // slash-separated path inside the bundle
	SHA256 string `json:"sha256"` // lower-case hexadecimal
}

// Licence is the licence of the weights.
type Licence struct {
	SPDX   string `json:"spdx"`   // SPDX identifier
	File   string `json:"file"`   // licence text in the bundle
	Notice string `json:"notice"` // attribution to print, may be empty
	// Acceptance says that the user must accept the licence before the bundle is imported, as
	// non-commercial licences ask.
	Acceptance bool `json:"acceptance,omitempty"`
}

// Provenance says where the weights came from.
type Provenance struct {
	Weights          string            `json:"weights"`           // origin in words
	Parameters       int64             `json:"parameters"`        // number of weights
	CheckpointSHA256 string            `json:"checkpoint_sha256"` // of the exported checkpoint
	Tools            map[string]string `json:"tools"`             // versions of the exporter's tools
	// RecipeSHA256 is that of the recipe that made the weights (scripts/training/recipes), or empty.
	RecipeSHA256 string `json:"recipe_sha256,omitempty"`
}

// Own reports whether the network has a second output, a posterior of its own.
func (m *Manifest) Own() bool { return m.Surface != nil || m.ClassPosterior != nil }

// parseManifest decodes and validates manifest.json.
func parseManifest(data []byte) (Manifest, error) {
	var m Manifest
	if err := strictjson.Decode(data, &m); err != nil {
		return Manifest{}, err
	}
	checks := []func() error{
		m.checkIdentity, m.checkHead, m.checkLimits, m.checkFamily,
		m.checkClasses, m.checkMaxClasses, m.checkSurface, m.checkClassPosterior, m.checkFiles,
		m.checkLicence,
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
		return fmt.Errorf("format is %d, this program reads format %d", m.Format, FormatVersion)
	case !isName(m.Name):
		return fmt.Errorf("name %q is not made of letters, digits and \"._-\"", m.Name)
	case !isName(m.Version):
		return fmt.Errorf("version %q is not made of letters, digits and \"._-\"", m.Version)
	case !slices.Contains(Families(), m.Family):
		return fmt.Errorf("family %q is not known (known: %s)", m.Family, strings.Join(Families(), ", "))
	case m.Task != RegressionTask && m.Task != ClassificationTask:
		return fmt.Errorf("task %q is not known (known: regression, classification)", m.Task)
	case m.Opset < minOpset || m.Opset > maxOpset:
		return fmt.Errorf("opset %d is outside %d..%d", m.Opset, minOpset, maxOpset)
	}
	return nil
}

func (m *Manifest) checkHead() error {
	kind, ok := families[m.Family].heads[m.Task]
	least := 8
	if kind == ClassHead {
		least = 2
	}
	switch {
	case !ok:
		return fmt.Errorf("task %q is not known for the family %q", m.Task, m.Family)
	case m.Head.Kind != kind:
		return fmt.Errorf("head.kind %q is not that of the family and task (%s)", m.Head.Kind, kind)
	case m.Head.Levels < least || m.Head.Levels > 1<<16:
		return fmt.Errorf("head.levels %d is outside %d..65536", m.Head.Levels, least)
	}
	return nil
}

func (m *Manifest) checkLimits() error {
	switch l := m.Limits; {
	case l.MinRows < 2 || l.MaxRows < l.MinRows || l.MaxRows > 1<<24:
		return fmt.Errorf("limits: 2 <= min_rows <= max_rows <= 2^24 does not hold for %d and %d",
			l.MinRows, l.MaxRows)
	case l.MaxFeatures < 1 || l.MaxFeatures > 1<<16:
		return fmt.Errorf("limits.max_features %d is outside 1..65536", l.MaxFeatures)
	}
	return nil
}

func (m *Manifest) checkFiles() error {
	names := m.graphNames()
	if len(m.Graphs) != len(names) {
		return fmt.Errorf("graphs has %d entries, need %q", len(m.Graphs), names)
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

// checkPath admits relative slash-separated paths that stay inside the bundle.
func checkPath(name string) error {
	bad := !fs.ValidPath(name) || name == "." || path.Clean(name) != name ||
		strings.ContainsAny(name, "\\:\x00")
	if bad {
		return fmt.Errorf("path %q does not stay inside the bundle", name)
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
