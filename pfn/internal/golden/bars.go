package golden

import (
	"errors"

	"github.com/pfnamp/pfnamp/models"
)

// BarCase is one table with N context rows, M query rows and F features, and the expected result of
// every stage of a prediction with B members, without the hash column.
type BarCase struct {
	Table
	Members []OwnMember `json:"members"` // [B]
	Expect  BarExpect   `json:"expect"`
}

// BarExpect is the final result: the averaged distribution of every query row.
type BarExpect struct {
	Mu             float64     `json:"mu"`              // mean of the target
	SD             float64     `json:"sd"`              // deviation of the target
	Probabilities  [][]float64 `json:"probabilities"`   // [M][K]
	Mean           []float64   `json:"mean"`            // [M], units of the target
	QuantileLevels []float64   `json:"quantile_levels"` // [L]
	Quantiles      [][]float64 `json:"quantiles"`       // [M][L], units of the target
}

// Check compares all lengths of a case with each other.
func (c *BarCase) Check(manifest *models.Manifest) error {
	if err := c.check(len(c.Members)); err != nil {
		return err
	}
	bars := manifest.Head.Levels
	n, m, e := len(c.XTrain), len(c.XTest), &c.Expect
	ok := hasShape(e.Probabilities, m, bars) && len(e.Mean) == m &&
		hasShape(e.Quantiles, m, len(e.QuantileLevels))
	if !ok || !haveShapes(c.Members, n, m, bars) {
		return errors.New("the lengths of its lists do not agree")
	}
	return nil
}
