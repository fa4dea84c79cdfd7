package golden

import (
	"slices"

	"github.com/pfnamp/pfnamp/models"
)

// ClassCase is one table with N context rows, M query rows, F features and the classes 0..K-1, and
// the expected result of every stage of a prediction with B members. Missing features are NaN.
type ClassCase struct {
	Table
	Members []ClassMember `json:"members"` // [B]
	Stages  ClassStages   `json:"stages"`
	Expect  ClassExpect   `json:"expect"`
}

// ClassMember is the composition of one ensemble member.
type ClassMember struct {
	Norm        string `json:"norm"`
	Permutation []int  `json:"permutation"`     // column j is the encoded column Permutation[j]
	Classes     []int  `json:"classes"`         // [K]: class k is shown to the network as Classes[k]
	Trend       string `json:"trend,omitempty"` // kind, or nothing
}

// ClassStages are the tensors at the boundary of the network, with the H columns of a member.
type ClassStages struct {
	XTrain [][][]float64 `json:"x_train"` // [B][N][H]
	YTrain [][]float64   `json:"y_train"` // [B][N], classes as members see them
	XTest  [][][]float64 `json:"x_test"`  // [B][M][H]
	Logits [][][]float64 `json:"logits"`  // [B][M][K], classes as members see them
	// Posterior is the second output, [B][M][K][J]; nil without Manifest.ClassPosterior.
	Posterior [][][][]float64 `json:"class_posterior,omitempty"`
}

// ClassExpect is the final result for every query row.
type ClassExpect struct {
	Logits        [][]float64 `json:"logits"`        // [M][K], averaged
	Probabilities [][]float64 `json:"probabilities"` // [M][K]
	// Posterior is the posterior of every query row, [M][K][J]; nil without
	// Manifest.ClassPosterior.
	Posterior [][][]float64 `json:"class_posterior,omitempty"`
}

// Check compares all lengths of a case with each other.
func (c *ClassCase) Check(manifest *models.Manifest) error {
	if err := c.check(len(c.Members)); err != nil {
		return err
	}
	n, m, b := len(c.XTrain), len(c.XTest), len(c.Members)
	k := len(c.Members[0].Classes)
	s, e := &c.Stages, &c.Expect
	orders := slices.ContainsFunc(c.Members, func(g ClassMember) bool { return len(g.Classes) != k })
	tensors := len(s.XTrain) == b && len(s.XTest) == b
	for i := 0; tensors && i < b; i++ {
		h := len(c.Members[i].Permutation)
		tensors = hasShape(s.XTrain[i], n, h) && hasShape(s.XTest[i], m, h)
	}
	err := firstWrong([]shaped{
		{"members", !orders && k >= 2 && k <= manifest.MostClasses()},
		{"stages.x_train or stages.x_test", tensors},
		{"stages.y_train", hasShape(s.YTrain, b, n)},
		{"stages.logits", hasShape3(s.Logits, [3]int{b, m, k})},
		{"expect.logits", hasShape(e.Logits, m, k)},
		{"expect.probabilities", hasShape(e.Probabilities, m, k)},
	})
	if err != nil {
		return err
	}
	return c.checkPosterior(manifest.ClassPosterior)
}

// checkPosterior checks the vectors of the posterior of class probabilities.
func (c *ClassCase) checkPosterior(p *models.ClassPosterior) error {
	o := own{"class_posterior", "class posterior", c.Stages.Posterior, c.Expect.Posterior}
	if p == nil {
		return o.absent()
	}
	return o.present(len(c.Members),
		[3]int{len(c.XTest), len(c.Members[0].Classes), len(p.PosteriorLevels)})
}

// FlatPosteriors lists the exporter's network output as [B][M] lists of values.
func (c *ClassCase) FlatPosteriors() [][][]float64 { return flat(c.Stages.Posterior) }
