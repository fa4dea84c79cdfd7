package models

import (
	"fmt"
	"slices"
)

// GoldenClasses holds the golden vectors of a classification bundle: what the reference
// implementation computed.
type GoldenClasses struct {
	Format int                 `json:"format"`
	Cases  []GoldenClassesCase `json:"cases"`
}

// GoldenClassesCase is one table with N context rows, M query rows, F features and the classes
// 0..K-1, and what every stage of a prediction with B members must give. Missing features are NaN.
type GoldenClassesCase struct {
	Name        string                `json:"name"`
	XTrain      [][]Cell              `json:"x_train"`     // [N][F]
	Categorical []bool                `json:"categorical"` // [F]
	YTrain      []float64             `json:"y_train"`     // [N], 0..K-1
	XTest       [][]Cell              `json:"x_test"`      // [M][F]
	Members     []GoldenClassesMember `json:"members"`     // [B]
	Stages      GoldenClassesStages   `json:"stages"`
	Expect      GoldenClassesExpect   `json:"expect"`
}

// GoldenClassesMember is the composition of one ensemble member.
type GoldenClassesMember struct {
	Norm        string `json:"norm"`
	Permutation []int  `json:"permutation"` // column j is the encoded column Permutation[j]
	Classes     []int  `json:"classes"`     // [K]: class k is shown to the network as Classes[k]
}

// GoldenClassesStages are the tensors at the boundary of the network, with H encoded features.
type GoldenClassesStages struct {
	XTrain [][][]float64 `json:"x_train"` // [B][N][H]
	YTrain [][]float64   `json:"y_train"` // [B][N], classes as members see them
	XTest  [][][]float64 `json:"x_test"`  // [B][M][H]
	Logits [][][]float64 `json:"logits"`  // [B][M][K], classes as members see them
}

// GoldenClassesExpect is the final result for every query row.
type GoldenClassesExpect struct {
	Logits        [][]float64 `json:"logits"`        // [M][K], averaged
	Probabilities [][]float64 `json:"probabilities"` // [M][K]
}

// GoldenClasses returns the golden vectors of a classification bundle.
func (b *Bundle) GoldenClasses() (*GoldenClasses, error) {
	golden, err := parseGoldenClasses(b.golden, b.Manifest.Head.Levels)
	if err != nil {
		return nil, b.badGolden(err)
	}
	return golden, nil
}

func parseGoldenClasses(data []byte, most int) (*GoldenClasses, error) {
	var g GoldenClasses
	if err := decodeStrict(data, &g); err != nil {
		return nil, err
	}
	return &g, checkGolden(g.Format, g.Cases, func(c *GoldenClassesCase) (string, error) {
		return c.Name, c.check(most)
	})
}

// check compares all lengths of a case with each other; most is the most classes.
func (c *GoldenClassesCase) check(most int) error {
	if c.Name == "" || len(c.Members) == 0 || len(c.XTrain) == 0 || len(c.XTest) == 0 {
		return fmt.Errorf("name, members, x_train and x_test must not be empty")
	}
	n, m, b := len(c.XTrain), len(c.XTest), len(c.Members)
	h, k := len(c.Members[0].Permutation), len(c.Members[0].Classes)
	s, e := &c.Stages, &c.Expect
	orders := slices.ContainsFunc(c.Members, func(g GoldenClassesMember) bool {
		return len(g.Permutation) != h || len(g.Classes) != k
	})
	return firstWrong([]shape{
		{"members", !orders && k >= 2 && k <= most},
		{"x_train", hasShape(c.XTrain, n, len(c.Categorical))},
		{"x_test", hasShape(c.XTest, m, len(c.Categorical))},
		{"y_train", len(c.YTrain) == n},
		{"stages.x_train", hasShape3(s.XTrain, [3]int{b, n, h})},
		{"stages.y_train", hasShape(s.YTrain, b, n)},
		{"stages.x_test", hasShape3(s.XTest, [3]int{b, m, h})},
		{"stages.logits", hasShape3(s.Logits, [3]int{b, m, k})},
		{"expect.logits", hasShape(e.Logits, m, k)},
		{"expect.probabilities", hasShape(e.Probabilities, m, k)},
	})
}
