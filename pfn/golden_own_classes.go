package pfn

import (
	"context"
	"fmt"
	"math"

	"github.com/pfnamp/pfnamp/models"
)

// ownClassCase is one table with N context rows, M query rows, F features and the classes 0..K-1,
// and what every stage of a prediction with B members must give whose columns are their own,
// without the hash column.
type ownClassCase struct {
	Name        string         `json:"name"`
	XTrain      [][]cell       `json:"x_train"`     // [N][F]
	Categorical []bool         `json:"categorical"` // [F]
	YTrain      []float64      `json:"y_train"`     // [N], 0..K-1
	XTest       [][]cell       `json:"x_test"`      // [M][F]
	Members     []ownMember    `json:"members"`     // [B]
	Expect      ownClassExpect `json:"expect"`
}

// ownClassExpect is the final result for every query row.
type ownClassExpect struct {
	Probabilities [][]float64 `json:"probabilities"` // [M][K]
}

func (c *ownClassCase) title() string { return c.Name }

// check compares all lengths of a case with each other.
func (c *ownClassCase) check(manifest *models.Manifest) error {
	if c.Name == "" || len(c.Members) == 0 || len(c.XTrain) == 0 || len(c.XTest) == 0 {
		return fmt.Errorf("name, members, x_train and x_test must not be empty")
	}
	n, m, k := len(c.XTrain), len(c.XTest), len(c.Members[0].Classes)
	orders := true
	for _, b := range c.Members {
		orders = orders && len(b.Classes) == k
	}
	return firstWrong([]shaped{
		{"members.classes", orders && k >= 2 && k <= manifest.Head.Levels},
		{"members", haveShapes(c.Members, n, m, k)},
		{"x_train", hasShape(c.XTrain, n, len(c.Categorical))},
		{"x_test", hasShape(c.XTest, m, len(c.Categorical))},
		{"y_train", len(c.YTrain) == n},
		{"expect.probabilities", hasShape(c.Expect.Probabilities, m, k)},
	})
}

func (c *ownClassCase) replay(ctx context.Context, m *Model) (CaseReport, error) {
	r := CaseReport{Name: c.Name}
	train := Training{X: cells(c.XTrain), Categorical: c.Categorical, Y: c.YTrain}
	fitted, e, err := refit[tabpfnEnsemble](ctx, m, train, len(c.Members))
	if err != nil {
		return CaseReport{}, err
	}
	defer fitted.Close()
	query := cells(c.XTest)
	if !r.members(e, c.Members) {
		return r, nil
	}
	r.tensors(e, &table{train, fitted.target}, query, c.Members)
	worst, err := fitted.rawDifference(ctx, query, ofLabel, logitsOf(c.Members))
	if err != nil {
		return CaseReport{}, err
	}
	r.add("network", worst, barNetworkTolerance)
	rows, err := fitted.PredictClasses(ctx, query)
	if err != nil {
		return CaseReport{}, err
	}
	var made, read float64
	for i, want := range c.Expect.Probabilities {
		own := fitted.voices[ofLabel].combine(logitsOfRow(c.Members, i), weighing{}).(Classes)
		made = math.Max(made, difference(own, want))
		read = math.Max(read, difference(rows[i], want))
	}
	r.add("post-processing: probabilities", made, probabilityTolerance)
	r.add("result: probabilities", read, barMassTolerance)
	return r, nil
}
