package golden

import (
	"fmt"

	"github.com/pfnamp/pfnamp/models"
)

// BarCase is one table with N context rows, M query rows and F features, and what every
// stage of a prediction with B members must give, without the hash column.
type BarCase struct {
	Name        string      `json:"name"`
	XTrain      [][]Cell    `json:"x_train"`     // [N][F]
	Categorical []bool      `json:"categorical"` // [F]
	YTrain      []float64   `json:"y_train"`     // [N]
	XTest       [][]Cell    `json:"x_test"`      // [M][F]
	Members     []OwnMember `json:"members"`     // [B]
	Expect      BarExpect   `json:"expect"`
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

// Title is the name of the case.
func (c *BarCase) Title() string { return c.Name }

// Check compares all lengths of a case with each other.
func (c *BarCase) Check(manifest *models.Manifest) error {
	if c.Name == "" || len(c.Members) == 0 || len(c.XTrain) == 0 || len(c.XTest) == 0 {
		return fmt.Errorf("name, members, x_train and x_test must not be empty")
	}
	bars := manifest.Head.Levels
	n, m, f, e := len(c.XTrain), len(c.XTest), len(c.Categorical), &c.Expect
	ok := hasShape(c.XTrain, n, f) && hasShape(c.XTest, m, f) && len(c.YTrain) == n &&
		hasShape(e.Probabilities, m, bars) && len(e.Mean) == m &&
		hasShape(e.Quantiles, m, len(e.QuantileLevels))
	if !ok || !haveShapes(c.Members, n, m, bars) {
		return fmt.Errorf("lengths do not agree")
	}
	return nil
}
