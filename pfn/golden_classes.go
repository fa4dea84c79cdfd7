package pfn

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/pfnamp/pfnamp/models"
	"github.com/pfnamp/pfnamp/pfn/internal/tabicl"
)

// probabilityTolerance is that of class probabilities in Verify: the reference computes them in
// float32, and the logits of a network differ by up to networkTolerance between processors.
const probabilityTolerance = 1e-5

// classCase is one table with N context rows, M query rows, F features and the classes
// 0..K-1, and what every stage of a prediction with B members must give. Missing features are NaN.
type classCase struct {
	Name        string        `json:"name"`
	XTrain      [][]cell      `json:"x_train"`     // [N][F]
	Categorical []bool        `json:"categorical"` // [F]
	YTrain      []float64     `json:"y_train"`     // [N], 0..K-1
	XTest       [][]cell      `json:"x_test"`      // [M][F]
	Members     []classMember `json:"members"`     // [B]
	Stages      classStages   `json:"stages"`
	Expect      classExpect   `json:"expect"`
}

// classMember is the composition of one ensemble member.
type classMember struct {
	Norm        string `json:"norm"`
	Permutation []int  `json:"permutation"`     // column j is the encoded column Permutation[j]
	Classes     []int  `json:"classes"`         // [K]: class k is shown to the network as Classes[k]
	Trend       string `json:"trend,omitempty"` // kind, or nothing
}

// classStages are the tensors at the boundary of the network, with the H columns of a member.
type classStages struct {
	XTrain [][][]float64 `json:"x_train"` // [B][N][H]
	YTrain [][]float64   `json:"y_train"` // [B][N], classes as members see them
	XTest  [][][]float64 `json:"x_test"`  // [B][M][H]
	Logits [][][]float64 `json:"logits"`  // [B][M][K], classes as members see them
	// Posterior is the second output, [B][M][K][J]; nil without Manifest.ClassPosterior.
	Posterior [][][][]float64 `json:"class_posterior,omitempty"`
}

// classExpect is the final result for every query row.
type classExpect struct {
	Logits        [][]float64 `json:"logits"`        // [M][K], averaged
	Probabilities [][]float64 `json:"probabilities"` // [M][K]
	// Posterior is that of every query row, [M][K][J]; nil without Manifest.ClassPosterior.
	Posterior [][][]float64 `json:"class_posterior,omitempty"`
}

func (c *classCase) title() string { return c.Name }

// check compares all lengths of a case with each other.
func (c *classCase) check(manifest *models.Manifest) error {
	if c.Name == "" || len(c.Members) == 0 || len(c.XTrain) == 0 || len(c.XTest) == 0 {
		return fmt.Errorf("name, members, x_train and x_test must not be empty")
	}
	n, m, b := len(c.XTrain), len(c.XTest), len(c.Members)
	k := len(c.Members[0].Classes)
	s, e := &c.Stages, &c.Expect
	orders := slices.ContainsFunc(c.Members, func(g classMember) bool { return len(g.Classes) != k })
	tensors := len(s.XTrain) == b && len(s.XTest) == b
	for i := 0; tensors && i < b; i++ {
		h := len(c.Members[i].Permutation)
		tensors = hasShape(s.XTrain[i], n, h) && hasShape(s.XTest[i], m, h)
	}
	err := firstWrong([]shaped{
		{"members", !orders && k >= 2 && k <= manifest.MostClasses()},
		{"x_train", hasShape(c.XTrain, n, len(c.Categorical))},
		{"x_test", hasShape(c.XTest, m, len(c.Categorical))},
		{"y_train", len(c.YTrain) == n},
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

func (c *classCase) replay(ctx context.Context, m *Model) (CaseReport, error) {
	r := replayedClasses{CaseReport{Name: c.Name}, c}
	train := Training{X: cells(c.XTrain), Categorical: c.Categorical, Y: c.YTrain}
	fitted, e, err := refit[tabiclEnsemble](ctx, m, train, len(c.Members))
	if err != nil {
		return CaseReport{}, err
	}
	defer fitted.Close()
	query := cells(c.XTest)
	if !r.pipelines(m, e, &table{train, fitted.target}, query) {
		return r.CaseReport, nil
	}
	worst, err := fitted.rawDifference(ctx, query, ofLabel, c.Stages.Logits)
	if err != nil {
		return CaseReport{}, err
	}
	r.add("network", worst, networkTolerance)
	rows, err := fitted.Results(ctx, query, true)
	if err != nil {
		return CaseReport{}, err
	}
	worst = 0
	for i, row := range rows {
		worst = math.Max(worst, difference(row.Classes, c.Expect.Probabilities[i]))
	}
	r.add("result: probabilities", worst, probabilityTolerance)
	r.postprocessing(e, m.heads[ofLabel].head.(classHead))
	if m.Own() {
		err = r.secondOutput(ctx, fitted, query, rows)
	}
	return r.CaseReport, err
}

// replayedClasses collects the stages of one case.
type replayedClasses struct {
	CaseReport
	golden *classCase
}

// pipelines compares members, classes and encoded features, and reports whether the members are
// those of the golden case, without which no tensor can be compared.
func (r *replayedClasses) pipelines(m *Model, e tabiclEnsemble, train *table, query Matrix) bool {
	g, members := r.golden, e.Members
	same := len(members) == len(g.Members)
	for i := 0; same && i < len(members); i++ {
		same = members[i].Norm == g.Members[i].Norm && members[i].Trend == cmp.Or(g.Members[i].Trend, tabicl.NoTrend) &&
			slices.Equal(members[i].Permutation, g.Members[i].Permutation) &&
			slices.Equal(members[i].Classes, g.Members[i].Classes)
	}
	if !same {
		r.add("members", math.Inf(1), 0)
		return false
	}
	r.add("members", 0, 0)
	lessons, queries := lessonsOf(m, train, len(members)), e.Queries(query)
	var y, x, z float64
	for i, l := range lessons {
		y = math.Max(y, difference(widen(l.y.Data), g.Stages.YTrain[i]))
		x = math.Max(x, difference(widen(l.x.Data), slices.Concat(g.Stages.XTrain[i]...)))
		z = math.Max(z, difference(widen(queries[i]), slices.Concat(g.Stages.XTest[i]...)))
	}
	r.add("y_train", y, 0)
	r.add("x_train", x, pipelineTolerance)
	r.add("x_test", z, pipelineTolerance)
	return true
}

// postprocessing compares what is made of the golden logits.
func (r *replayedClasses) postprocessing(e tabiclEnsemble, h classHead) {
	var logits, probabilities float64
	for i, want := range r.golden.Expect.Logits {
		var members [][]float32
		for _, all := range r.golden.Stages.Logits {
			members = append(members, narrow(all[i]))
		}
		mean := meanLogits(e, members)
		logits = math.Max(logits, difference(mean, want))
		probabilities = math.Max(probabilities,
			difference(h.softmax(mean), r.golden.Expect.Probabilities[i]))
	}
	r.add("post-processing: logits", logits, pipelineTolerance)
	r.add("post-processing: probabilities", probabilities, pipelineTolerance)
}
