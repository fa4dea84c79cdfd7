package golden

import "github.com/pfnamp/pfnamp/models"

// OwnQuantileCase is one table with N context rows, M query rows and F features, and what every
// stage of a prediction with B members must give. The members have columns of their own, without
// the hash column, and say Q quantiles, which are in the place of logits.
type OwnQuantileCase struct {
	Table
	Members []OwnMember       `json:"members"` // [B]
	Expect  OwnQuantileExpect `json:"expect"`
}

// OwnQuantileExpect is the final result for every query row.
type OwnQuantileExpect struct {
	Mu        float64     `json:"mu"`        // mean of the target
	SD        float64     `json:"sd"`        // deviation of the target
	Quantiles [][]float64 `json:"quantiles"` // [M][Q], units of the target
}

// Check compares all lengths of a case with each other.
func (c *OwnQuantileCase) Check(manifest *models.Manifest) error {
	if err := c.check(len(c.Members)); err != nil {
		return err
	}
	n, m, levels := len(c.XTrain), len(c.XTest), manifest.Head.Levels
	return firstWrong([]shaped{
		{"members", haveShapes(c.Members, n, m, levels)},
		{"expect.quantiles", hasShape(c.Expect.Quantiles, m, levels) && c.Expect.SD > 0},
	})
}
