package pfn

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"

	"github.com/pfnamp/pfnamp/internal/strictjson"
	"github.com/pfnamp/pfnamp/models"
)

// goldenCase is one table of golden.json with N context rows, M query rows and F features, and what
// the exporter's implementation computes with B members. What else the file has, such as the
// tensors that the network reads, is for the exporter and the tests.
type goldenCase struct {
	Name        string         `json:"name"`
	XTrain      []numbers      `json:"x_train"`     // [N][F]
	Categorical []bool         `json:"categorical"` // [F]
	YTrain      []float64      `json:"y_train"`     // [N]; of a classifier classes 0..K-1
	XTest       []numbers      `json:"x_test"`      // [M][F]
	Members     []goldenMember `json:"members"`     // [B]
	Stages      goldenStages   `json:"stages"`
	Expect      goldenResult   `json:"expect"`
}

// goldenMember is the composition of one ensemble member.
type goldenMember struct {
	Norm        string `json:"norm"`     // of TabICL
	Trend       string `json:"trend"`    // of TabICL: a kind, or nothing
	Pipeline    string `json:"pipeline"` // of members with columns of their own
	PowerTarget bool   `json:"power_target"`
	Seed        uint64 `json:"seed"`
	Classes     []int  `json:"classes"`     // [K]: class k is shown to the network as Classes[k]
	Permutation []int  `json:"permutation"` // column j is the encoded column Permutation[j]
	// Logits are the output of the network for the label, of members with columns of their own.
	Logits []numbers `json:"logits"` // [M][K]
}

func (b goldenMember) is(c goldenMember) bool {
	return b.Norm == c.Norm && b.Trend == c.Trend && b.Pipeline == c.Pipeline &&
		b.PowerTarget == c.PowerTarget && b.Seed == c.Seed &&
		slices.Equal(b.Classes, c.Classes) && slices.Equal(b.Permutation, c.Permutation)
}

// goldenStages are the outputs of the network for members that read the same columns.
type goldenStages struct {
	Logits    [][]numbers `json:"logits"`          // [B][M][K], of a classifier
	Quantiles [][]numbers `json:"quantiles"`       // [B][M][Q]
	Surface   [][]numbers `json:"surface"`         // [B][M][K+1][J] with Manifest.Surface
	Posterior [][]numbers `json:"class_posterior"` // [B][M][K][J] with Manifest.ClassPosterior
}

// goldenResult is the final result for every query row. A list that the head of the model does not
// give is nil.
type goldenResult struct {
	SD             float64        `json:"sd"`              // deviation of the target
	Knots          numbers        `json:"knots"`           // [M][Q], standardised
	BetaLeft       numbers        `json:"beta_left"`       // [M], standardised
	BetaRight      numbers        `json:"beta_right"`      // [M], standardised
	Mean           numbers        `json:"mean"`            // [M], units of the target
	QuantileLevels numbers        `json:"quantile_levels"` // [L]
	Quantiles      []numbers      `json:"quantiles"`       // [M][L], units of the target
	CDFAt          [][][2]float64 `json:"cdf_at"`          // [M][..], pairs of y and P(Y <= y)
	Probabilities  numbers        `json:"probabilities"`   // [M][K], of classes or bars
	Surface        numbers        `json:"surface"`         // [M][K+1][J], standardised
	Posterior      numbers        `json:"class_posterior"` // [M][K][J]
}

// readGolden decodes golden.json. The lengths of its lists show when they are compared.
func readGolden(data []byte) ([]goldenCase, error) {
	var all struct {
		Format int          `json:"format"`
		Cases  []goldenCase `json:"cases"`
	}
	if err := json.Unmarshal(data, &all); err != nil {
		return nil, strictjson.Worded(err)
	}
	if all.Format != models.FormatVersion {
		return nil, fmt.Errorf("the format is %d, but this version reads format %d", all.Format,
			models.FormatVersion)
	}
	if len(all.Cases) == 0 {
		return nil, errors.New("no cases")
	}
	for _, c := range all.Cases {
		if len(c.Members) == 0 || len(c.XTrain) == 0 || len(c.XTest) == 0 {
			return nil, fmt.Errorf("case %q: members, x_train and x_test must not be empty", c.Name)
		}
	}
	return all.Cases, nil
}

// numbers are those of a list, or of lists in lists, one after the other. null is NaN.
type numbers []float64

func (n *numbers) UnmarshalJSON(data []byte) error {
	decoder := json.NewDecoder(bytes.NewReader(data))
	for {
		token, err := decoder.Token()
		switch v := token.(type) {
		case float64:
			*n = append(*n, v)
		case string, bool:
			return fmt.Errorf("%v is not a number", v)
		case nil:
			if err == io.EOF {
				return nil
			} else if err != nil {
				return err
			}
			*n = append(*n, math.NaN())
		}
	}
}

func matrixOf(rows []numbers) Matrix {
	return Matrix{Rows: len(rows), Cols: len(rows[0]), Data: slices.Concat(rows...)}
}

// raw returns the output of the network for a head, for every member [M] lists of values.
func (c *goldenCase) raw(of role) [][]numbers {
	if of == ofOwn {
		return slices.Concat(c.Stages.Surface, c.Stages.Posterior)
	}
	raw := slices.Concat(c.Stages.Logits, c.Stages.Quantiles)
	if raw == nil {
		for _, member := range c.Members {
			raw = append(raw, member.Logits)
		}
	}
	return raw
}

// Report says how far a model is from its golden vectors.
type Report struct {
	Cases []CaseReport
	// Precision is that of the network. Unless it is float32, Tolerance is the
	// least tolerance of networks and results, and Recorded says whether the bundle has it.
	Precision   string
	Tolerance   float64
	Recorded    bool
	Onnxruntime string // its version
}

// OK reports whether every case is within its tolerances.
func (r Report) OK() bool {
	return len(r.Cases) > 0 &&
		!slices.ContainsFunc(r.Cases, func(c CaseReport) bool { return !c.OK() })
}

// CaseReport holds what is compared of one golden case: the members, the output of the network and
// parts of the result.
type CaseReport struct {
	Seconds float64 // that its replay took
	Name    string
	Parts   []PartReport
}

// OK reports whether every part is within its tolerance.
func (c CaseReport) OK() bool {
	return len(c.Parts) > 0 && !slices.ContainsFunc(c.Parts, func(p PartReport) bool { return !p.OK })
}

// Worst returns the part that is furthest beyond its tolerance, or nearest to it.
func (c CaseReport) Worst() PartReport {
	return slices.MaxFunc(c.Parts, func(a, b PartReport) int {
		return cmp.Compare(a.share(), b.share())
	})
}

// PartReport compares one part with what the exporter's implementation computed.
type PartReport struct {
	Name      string
	MaxDiff   float64 // largest difference, in the units of Tolerance; NaN for a result that is NaN
	Tolerance float64
	OK        bool
}

// share returns the difference in units of the tolerance, +Inf if it is not finite.
func (p PartReport) share() float64 {
	switch {
	case p.MaxDiff == 0:
		return 0
	case math.IsNaN(p.MaxDiff):
		return math.Inf(1)
	}
	return p.MaxDiff / p.Tolerance
}

func (c *CaseReport) add(name string, diff, tolerance float64) {
	c.Parts = append(c.Parts, PartReport{name, diff, tolerance, diff <= tolerance})
}

// difference returns the largest |got - want| / max(1, |want|), +Inf if lengths differ.
func difference(got, want []float64) float64 {
	return furthest(got, want, func(w float64) float64 { return math.Max(1, math.Abs(w)) })
}

// gapIn returns the largest |got - want| in a unit, +Inf if lengths differ.
func gapIn(got, want []float64, unit float64) float64 {
	return furthest(got, want, func(float64) float64 { return unit })
}

func furthest(got, want []float64, unit func(want float64) float64) float64 {
	if len(got) != len(want) {
		return math.Inf(1)
	}
	var worst float64
	for i, w := range want {
		worst = math.Max(worst, math.Abs(got[i]-w)/unit(w))
	}
	return worst
}
