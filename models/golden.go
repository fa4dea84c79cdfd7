package models

import (
	"encoding/json"
	"fmt"
	"math"
)

// Golden holds the golden vectors of a bundle: what the exporter's own implementation computed.
type Golden struct {
	Format int          `json:"format"`
	Cases  []GoldenCase `json:"cases"`
}

// GoldenCase is one table with N context rows, M query rows and F features, and what every stage
// of a prediction with B members must give. Missing features are NaN.
type GoldenCase struct {
	Name        string         `json:"name"`
	XTrain      [][]Cell       `json:"x_train"`     // [N][F]
	Categorical []bool         `json:"categorical"` // [F]
	YTrain      []float64      `json:"y_train"`     // [N]
	XTest       [][]Cell       `json:"x_test"`      // [M][F]
	Members     []GoldenMember `json:"members"`     // [B]
	Stages      GoldenStages   `json:"stages"`
	Expect      GoldenExpect   `json:"expect"`
}

// GoldenMember is the composition of one ensemble member.
type GoldenMember struct {
	Norm        string `json:"norm"`
	Permutation []int  `json:"permutation"` // column j is the encoded column Permutation[j]
}

// GoldenStages are the tensors at the boundary of the network, with H encoded features.
type GoldenStages struct {
	XTrain    [][][]float64 `json:"x_train"`   // [B][N][H]
	YTrain    []float64     `json:"y_train"`   // [N], standardised
	XTest     [][][]float64 `json:"x_test"`    // [B][M][H]
	Quantiles [][][]float64 `json:"quantiles"` // [B][M][Q], as the network returned them
	// Medians is the second output, [B][M][Direct.Levels]; nil without Manifest.Direct.
	Medians [][][]float64 `json:"median_quantiles,omitempty"`
}

// GoldenExpect is the final result: the averaged distribution of every query row.
type GoldenExpect struct {
	Mu             float64        `json:"mu"`              // mean of the target
	SD             float64        `json:"sd"`              // deviation of the target
	Knots          [][]float64    `json:"knots"`           // [M][Q], standardised
	BetaLeft       []float64      `json:"beta_left"`       // [M], standardised
	BetaRight      []float64      `json:"beta_right"`      // [M], standardised
	Mean           []float64      `json:"mean"`            // [M], units of the target
	QuantileLevels []float64      `json:"quantile_levels"` // [L]
	Quantiles      [][]float64    `json:"quantiles"`       // [M][L], units of the target
	CDFAt          [][][2]float64 `json:"cdf_at"`          // [M][..], pairs of y and P(Y <= y)
	Median         *GoldenMedian  `json:"median,omitempty"`
}

// GoldenMedian is the averaged posterior of the noise-free median of every query row. It is nil
// unless the manifest has Direct.
type GoldenMedian struct {
	Knots     [][]float64 `json:"knots"`      // [M][Direct.Levels], standardised
	BetaLeft  []float64   `json:"beta_left"`  // [M], standardised
	BetaRight []float64   `json:"beta_right"` // [M], standardised
	Quantiles [][]float64 `json:"quantiles"`  // [M][L] at quantile_levels, units of the target
}

// Cell is a number that JSON may give as null, which reads as NaN.
type Cell float64

// UnmarshalJSON reads a number or null.
func (c *Cell) UnmarshalJSON(data []byte) error {
	if string(data) == "null" {
		*c = Cell(math.NaN())
		return nil
	}
	return json.Unmarshal(data, (*float64)(c))
}

// parseGolden decodes golden.json and checks every shape against the outputs of the manifest.
func parseGolden(data []byte, m *Manifest) (*Golden, error) {
	var g Golden
	if err := decodeStrict(data, &g); err != nil {
		return nil, err
	}
	return &g, checkGolden(g.Format, g.Cases, func(c *GoldenCase) (string, error) {
		err := c.check(m.Head.Levels)
		if err == nil {
			err = c.checkMedian(m.Direct)
		}
		return c.Name, err
	})
}

// checkGolden checks what golden vectors of all kinds have: their format and the cases, of which
// check returns the name.
func checkGolden[C any](format int, cases []C, check func(*C) (string, error)) error {
	if format != FormatVersion {
		return fmt.Errorf("format is %d, this program reads format %d", format, FormatVersion)
	}
	if len(cases) == 0 {
		return fmt.Errorf("no cases")
	}
	for i := range cases {
		if name, err := check(&cases[i]); err != nil {
			return fmt.Errorf("case %q: %w", name, err)
		}
	}
	return nil
}

// badGolden is the error of golden vectors that cannot be read.
func (b *Bundle) badGolden(err error) error {
	return &Error{Bundle: b.Source, File: b.Manifest.Golden.File,
		Msg: "not valid golden vectors", Err: err}
}

// check compares all lengths of a case with each other.
func (c *GoldenCase) check(levels int) error {
	if c.Name == "" || len(c.Members) == 0 || len(c.XTrain) == 0 || len(c.XTest) == 0 {
		return fmt.Errorf("name, members, x_train and x_test must not be empty")
	}
	n, m, b := len(c.XTrain), len(c.XTest), len(c.Members)
	h := len(c.Members[0].Permutation)
	s, e := &c.Stages, &c.Expect
	return firstWrong([]shape{
		{"categorical", len(c.Categorical) == len(c.XTrain[0])},
		{"x_train", hasShape(c.XTrain, n, len(c.Categorical))},
		{"x_test", hasShape(c.XTest, m, len(c.Categorical))},
		{"y_train", len(c.YTrain) == n},
		{"stages.x_train", hasShape3(s.XTrain, [3]int{b, n, h})},
		{"stages.y_train", len(s.YTrain) == n},
		{"stages.x_test", hasShape3(s.XTest, [3]int{b, m, h})},
		{"stages.quantiles", hasShape3(s.Quantiles, [3]int{b, m, levels})},
		{"expect.knots", hasShape(e.Knots, m, levels)},
		{"expect.beta_left", len(e.BetaLeft) == m},
		{"expect.beta_right", len(e.BetaRight) == m},
		{"expect.mean", len(e.Mean) == m},
		{"expect.quantiles", hasShape(e.Quantiles, m, len(e.QuantileLevels))},
		{"expect.cdf_at", len(e.CDFAt) == m},
	})
}

// checkMedian compares the lengths of the vectors of the second output, which must be there if
// and only if the manifest has one.
func (c *GoldenCase) checkMedian(direct *Direct) error {
	median := c.Expect.Median
	if direct == nil {
		if c.Stages.Medians != nil || median != nil {
			return fmt.Errorf("there are vectors of a direct output, which the manifest lacks")
		}
		return nil
	}
	if c.Stages.Medians == nil || median == nil {
		return fmt.Errorf("stages.median_quantiles or expect.median is missing, " +
			"but the manifest has a direct output")
	}
	m := len(c.XTest)
	return firstWrong([]shape{
		{"stages.median_quantiles",
			hasShape3(c.Stages.Medians, [3]int{len(c.Members), m, direct.Levels})},
		{"expect.median.knots", hasShape(median.Knots, m, direct.Levels)},
		{"expect.median.beta_left", len(median.BetaLeft) == m},
		{"expect.median.beta_right", len(median.BetaRight) == m},
		{"expect.median.quantiles", hasShape(median.Quantiles, m, len(c.Expect.QuantileLevels))},
	})
}

// shape says whether a tensor has the shape that it must have.
type shape struct {
	name string
	ok   bool
}

// firstWrong is the error of the first wrong shape, or nil.
func firstWrong(shapes []shape) error {
	for _, s := range shapes {
		if !s.ok {
			return fmt.Errorf("%s has a wrong shape", s.name)
		}
	}
	return nil
}

func hasShape[T any](a [][]T, rows, cols int) bool {
	if len(a) != rows {
		return false
	}
	for _, row := range a {
		if len(row) != cols {
			return false
		}
	}
	return true
}

func hasShape3(a [][][]float64, dims [3]int) bool {
	if len(a) != dims[0] {
		return false
	}
	for _, matrix := range a {
		if !hasShape(matrix, dims[1], dims[2]) {
			return false
		}
	}
	return true
}
