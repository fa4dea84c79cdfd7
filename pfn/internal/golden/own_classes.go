package golden

import (
	"slices"

	"github.com/pfnamp/pfnamp/models"
)

// OwnMember is one member with its own H columns, and the tensors at the boundary of the network,
// with N context rows, M query rows and K logits.
type OwnMember struct {
	Pipeline    string      `json:"pipeline"` // one of ensemble.norms
	PowerTarget bool        `json:"power_target,omitempty"`
	Classes     []int       `json:"classes,omitempty"` // of a classifier: sees class k as Classes[k]
	Seed        uint64      `json:"seed"`
	Permutation []int       `json:"permutation"` // [H]
	XTrain      [][]Cell    `json:"x_train"`     // [N][H]
	XTest       [][]Cell    `json:"x_test"`      // [M][H]
	YTrain      []float64   `json:"y_train"`     // [N]
	Logits      [][]float64 `json:"logits"`      // [M][K]
}

// haveShapes compares the lengths of members with each other.
func haveShapes(members []OwnMember, n, m, k int) bool {
	return !slices.ContainsFunc(members, func(b OwnMember) bool {
		h := len(b.Permutation)
		return !hasShape(b.XTrain, n, h) || !hasShape(b.XTest, m, h) || len(b.YTrain) != n ||
			!hasShape(b.Logits, m, k)
	})
}

// LogitsOf returns the logits [B][M][K] of members.
func LogitsOf(members []OwnMember) [][][]float64 {
	logits := make([][][]float64, len(members))
	for b, member := range members {
		logits[b] = member.Logits
	}
	return logits
}

// OwnClassCase is one table with N context rows, M query rows, F features and the classes 0..K-1,
// and the expected result of every stage of a prediction with B members. Members have their own
// columns, without the hash column.
type OwnClassCase struct {
	Table
	Members []OwnMember    `json:"members"` // [B]
	Expect  OwnClassExpect `json:"expect"`
}

// OwnClassExpect is the final result for every query row.
type OwnClassExpect struct {
	Probabilities [][]float64 `json:"probabilities"` // [M][K]
}

// Check compares all lengths of a case with each other.
func (c *OwnClassCase) Check(manifest *models.Manifest) error {
	if err := c.check(len(c.Members)); err != nil {
		return err
	}
	n, m, k := len(c.XTrain), len(c.XTest), len(c.Members[0].Classes)
	orders := true
	for _, b := range c.Members {
		orders = orders && len(b.Classes) == k
	}
	return firstWrong([]shaped{
		{"members.classes", orders && k >= 2 && k <= manifest.Head.Levels},
		{"members", haveShapes(c.Members, n, m, k)},
		{"expect.probabilities", hasShape(c.Expect.Probabilities, m, k)},
	})
}
