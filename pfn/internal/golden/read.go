// Package golden reads the golden vectors of bundles: a few tables, with the output of the network
// and the result of their prediction, as computed by the exporter's implementation. It reads
// golden.json, checks that all lengths agree with each other and with the manifest, and compares
// results. Package pfn replays the cases. What else the file has, such as the tensors that the
// network reads, is for the exporter and the tests.
package golden

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/pfnamp/pfnamp/internal/matrix"
	"github.com/pfnamp/pfnamp/internal/strictjson"
	"github.com/pfnamp/pfnamp/models"
)

// Case is one table with N context rows, M query rows and F features, and what a prediction with B
// members must give.
type Case struct {
	Name        string    `json:"name"`
	XTrain      [][]Cell  `json:"x_train"`     // [N][F]
	Categorical []bool    `json:"categorical"` // [F]
	YTrain      []float64 `json:"y_train"`     // [N]; of a classifier classes 0..K-1
	XTest       [][]Cell  `json:"x_test"`      // [M][F]
	Members     []Member  `json:"members"`     // [B]
	Stages      Stages    `json:"stages"`
	Expect      Expect    `json:"expect"`
}

// Member is the composition of one ensemble member.
type Member struct {
	Norm        string `json:"norm"`     // of TabICL
	Trend       string `json:"trend"`    // of TabICL: a kind, or nothing
	Pipeline    string `json:"pipeline"` // of members with columns of their own
	PowerTarget bool   `json:"power_target"`
	Seed        uint64 `json:"seed"`
	Classes     []int  `json:"classes"`     // [K]: class k is shown to the network as Classes[k]
	Permutation []int  `json:"permutation"` // column j is the encoded column Permutation[j]
	// Logits are the output of the network for the label, of members with columns of their own.
	Logits [][]float64 `json:"logits"` // [M][K]
}

// is reports whether two members have the same composition.
func (b *Member) is(c *Member) bool {
	return b.Norm == c.Norm && b.Trend == c.Trend && b.Pipeline == c.Pipeline &&
		b.PowerTarget == c.PowerTarget && b.Seed == c.Seed &&
		slices.Equal(b.Classes, c.Classes) && slices.Equal(b.Permutation, c.Permutation)
}

// Stages are the outputs of the network for members that read the same columns.
type Stages struct {
	Logits    [][][]float64   `json:"logits"`          // [B][M][K], of a classifier
	Quantiles [][][]float64   `json:"quantiles"`       // [B][M][Q]
	Surface   [][][][]float64 `json:"surface"`         // [B][M][K+1][J] with Manifest.Surface
	Posterior [][][][]float64 `json:"class_posterior"` // [B][M][K][J] with Manifest.ClassPosterior
}

// Expect is the final result for every query row. A list that the head of the model does not give
// is nil.
type Expect struct {
	SD             float64        `json:"sd"`              // deviation of the target
	Knots          [][]float64    `json:"knots"`           // [M][Q], standardised
	BetaLeft       []float64      `json:"beta_left"`       // [M], standardised
	BetaRight      []float64      `json:"beta_right"`      // [M], standardised
	Mean           []float64      `json:"mean"`            // [M], units of the target
	QuantileLevels []float64      `json:"quantile_levels"` // [L]
	Quantiles      [][]float64    `json:"quantiles"`       // [M][L], units of the target
	CDFAt          [][][2]float64 `json:"cdf_at"`          // [M][..], pairs of y and P(Y <= y)
	Probabilities  [][]float64    `json:"probabilities"`   // [M][K], of classes or bars
	Surface        [][][]float64  `json:"surface"`         // [M][K+1][J], standardised
	Posterior      [][][]float64  `json:"class_posterior"` // [M][K][J]
}

// Read decodes golden.json and checks every shape.
func Read(data []byte, m *models.Manifest) ([]Case, error) {
	var all struct {
		Format int    `json:"format"`
		Cases  []Case `json:"cases"`
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
	for i := range all.Cases {
		if err := all.Cases[i].check(m); err != nil {
			return nil, fmt.Errorf("case %q: %w", all.Cases[i].Name, err)
		}
	}
	return all.Cases, nil
}

// Cell is a number that may be null in JSON, which reads as NaN.
type Cell float64

// UnmarshalJSON reads a number or null.
func (c *Cell) UnmarshalJSON(data []byte) error {
	if string(data) == "null" {
		*c = Cell(math.NaN())
		return nil
	}
	return json.Unmarshal(data, (*float64)(c))
}

// Cells makes a feature table of golden rows.
func Cells(rows [][]Cell) matrix.Matrix {
	m := matrix.Matrix{Rows: len(rows), Cols: len(rows[0])}
	for _, row := range rows {
		for _, v := range row {
			m.Data = append(m.Data, float64(v))
		}
	}
	return m
}

// Raw returns the output of the network for the label, [B][M] lists of values.
func (c *Case) Raw() [][][]float64 {
	switch {
	case c.Stages.Logits != nil:
		return c.Stages.Logits
	case c.Stages.Quantiles != nil:
		return c.Stages.Quantiles
	}
	raw := make([][][]float64, len(c.Members))
	for b, member := range c.Members {
		raw[b] = member.Logits
	}
	return raw
}

// RawOwn returns the output of the network for its own posterior, [B][M] matrices row by row.
func (c *Case) RawOwn() [][][]float64 {
	matrices := c.Stages.Surface
	if matrices == nil {
		matrices = c.Stages.Posterior
	}
	raw := make([][][]float64, len(matrices))
	for b, member := range matrices {
		for _, matrix := range member {
			raw[b] = append(raw[b], slices.Concat(matrix...))
		}
	}
	return raw
}
