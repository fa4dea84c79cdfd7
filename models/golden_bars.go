package models

import "fmt"

// GoldenBars holds the golden vectors of a TabPFN bundle: what the tabpfn package computed.
type GoldenBars struct {
	Format int              `json:"format"`
	Cases  []GoldenBarsCase `json:"cases"`
}

// GoldenBarsCase is one table with N context rows, M query rows and F features, and what every
// stage of a prediction with B members must give, without the hash column.
type GoldenBarsCase struct {
	Name        string             `json:"name"`
	XTrain      [][]Cell           `json:"x_train"`     // [N][F]
	Categorical []bool             `json:"categorical"` // [F]
	YTrain      []float64          `json:"y_train"`     // [N]
	XTest       [][]Cell           `json:"x_test"`      // [M][F]
	Members     []GoldenBarsMember `json:"members"`     // [B]
	Expect      GoldenBarsExpect   `json:"expect"`
}

// GoldenBarsMember is one member and the tensors at the boundary of the network; it has its own
// number H of columns.
type GoldenBarsMember struct {
	Pipeline    string      `json:"pipeline"` // one of ensemble.norms
	PowerTarget bool        `json:"power_target"`
	Seed        uint64      `json:"seed"`
	Permutation []int       `json:"permutation"` // [H]
	XTrain      [][]Cell    `json:"x_train"`     // [N][H]
	XTest       [][]Cell    `json:"x_test"`      // [M][H]
	YTrain      []float64   `json:"y_train"`     // [N]
	Logits      [][]float64 `json:"logits"`      // [M][K]
}

// GoldenBarsExpect is the final result: the averaged distribution of every query row.
type GoldenBarsExpect struct {
	Mu             float64     `json:"mu"`              // mean of the target
	SD             float64     `json:"sd"`              // deviation of the target
	Probabilities  [][]float64 `json:"probabilities"`   // [M][K]
	Mean           []float64   `json:"mean"`            // [M], units of the target
	QuantileLevels []float64   `json:"quantile_levels"` // [L]
	Quantiles      [][]float64 `json:"quantiles"`       // [M][L], units of the target
}

// GoldenBars returns the golden vectors of a TabPFN bundle.
func (b *Bundle) GoldenBars() (*GoldenBars, error) {
	golden, err := parseGoldenBars(b.golden, b.Manifest.Head.Levels)
	if err != nil {
		return nil, b.badGolden(err)
	}
	return golden, nil
}

func parseGoldenBars(data []byte, bars int) (*GoldenBars, error) {
	var g GoldenBars
	if err := decodeStrict(data, &g); err != nil {
		return nil, err
	}
	return &g, checkGolden(g.Format, g.Cases, func(c *GoldenBarsCase) (string, error) {
		return c.Name, c.check(bars)
	})
}

// check compares all lengths of a case with each other.
func (c *GoldenBarsCase) check(bars int) error {
	if c.Name == "" || len(c.Members) == 0 || len(c.XTrain) == 0 || len(c.XTest) == 0 {
		return fmt.Errorf("name, members, x_train and x_test must not be empty")
	}
	n, m, f, e := len(c.XTrain), len(c.XTest), len(c.Categorical), &c.Expect
	ok := hasShape(c.XTrain, n, f) && hasShape(c.XTest, m, f) && len(c.YTrain) == n &&
		hasShape(e.Probabilities, m, bars) && len(e.Mean) == m &&
		hasShape(e.Quantiles, m, len(e.QuantileLevels))
	for _, b := range c.Members {
		h := len(b.Permutation)
		ok = ok && hasShape(b.XTrain, n, h) && hasShape(b.XTest, m, h) && len(b.YTrain) == n &&
			hasShape(b.Logits, m, bars)
	}
	if !ok {
		return fmt.Errorf("lengths do not agree")
	}
	return nil
}
