package pfn

import (
	"context"
	"fmt"
	"math"

	"github.com/pfnamp/pfnamp/models"
)

// Tolerances of Verify for TabPFN bundles. Vectors are written with 9 digits (probabilities with
// 7); the logits of a network of 12 or 24 layers differ by up to 1e-4 between processors.
const (
	barPipelineTolerance = 1e-5 // relative to max(1, |expected|)
	barNetworkTolerance  = 1e-3 // of logits, relative likewise
	barMassTolerance     = 1e-4 // of probabilities
	barResultTolerance   = 5e-4 // of means, in deviations of the target
)

// barCase is one table with N context rows, M query rows and F features, and what every
// stage of a prediction with B members must give, without the hash column.
type barCase struct {
	Name        string      `json:"name"`
	XTrain      [][]cell    `json:"x_train"`     // [N][F]
	Categorical []bool      `json:"categorical"` // [F]
	YTrain      []float64   `json:"y_train"`     // [N]
	XTest       [][]cell    `json:"x_test"`      // [M][F]
	Members     []ownMember `json:"members"`     // [B]
	Expect      barExpect   `json:"expect"`
}

// barExpect is the final result: the averaged distribution of every query row.
type barExpect struct {
	Mu             float64     `json:"mu"`              // mean of the target
	SD             float64     `json:"sd"`              // deviation of the target
	Probabilities  [][]float64 `json:"probabilities"`   // [M][K]
	Mean           []float64   `json:"mean"`            // [M], units of the target
	QuantileLevels []float64   `json:"quantile_levels"` // [L]
	Quantiles      [][]float64 `json:"quantiles"`       // [M][L], units of the target
}

func (c *barCase) title() string { return c.Name }

// check compares all lengths of a case with each other.
func (c *barCase) check(manifest *models.Manifest) error {
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

func (c *barCase) replay(ctx context.Context, m *Model) (CaseReport, error) {
	r := replayedBars{CaseReport{Name: c.Name}, c}
	train := Training{X: cells(c.XTrain), Categorical: c.Categorical, Y: c.YTrain}
	fitted, e, err := refit[tabpfnEnsemble](ctx, m, train, len(c.Members))
	if err != nil {
		return CaseReport{}, err
	}
	defer fitted.Close()
	query := cells(c.XTest)
	if !r.pipelines(e, table{train, fitted.target}, query) {
		return r.CaseReport, nil
	}
	worst, err := fitted.rawDifference(ctx, query, ofLabel, logitsOf(c.Members))
	if err != nil {
		return CaseReport{}, err
	}
	r.add("network", worst, barNetworkTolerance)
	r.postprocessing(fitted)
	ppds, err := fitted.Predict(ctx, query)
	if err != nil {
		return CaseReport{}, err
	}
	r.distributions("result", ppds, fitted.target.SD)
	return r.CaseReport, nil
}

// replayedBars collects the stages of one case.
type replayedBars struct {
	CaseReport
	golden *barCase
}

// pipelines compares members, targets and features, and reports whether the members are those of
// the golden case.
func (r *replayedBars) pipelines(e tabpfnEnsemble, train table, query Matrix) bool {
	g, t := r.golden, e.Transformer
	if !r.members(e, g.Members) {
		return false
	}
	r.add("mu", math.Abs(t.Target.Mean-g.Expect.Mu)/g.Expect.SD, barPipelineTolerance)
	r.add("sd", math.Abs(t.Target.SD/g.Expect.SD-1), barPipelineTolerance)
	r.tensors(e, &train, query, g.Members)
	return true
}

// postprocessing compares the distributions made from the golden logits.
func (r *replayedBars) postprocessing(c *Context) {
	ppds := make([]PPD, len(r.golden.XTest))
	for i := range ppds {
		ppds[i] = c.voices[ofLabel].combine(logitsOfRow(r.golden.Members, i), weighing{}).(PPD)
	}
	r.distributions("post-processing", ppds, c.target.SD)
}

// distributions compares probabilities and what is read from them.
func (r *replayedBars) distributions(stage string, ppds []PPD, sd float64) {
	e := &r.golden.Expect
	var mass, mean, quantiles float64
	for i, ppd := range ppds {
		d := ppd.(*Bars)
		mass = math.Max(mass, difference(d.Mass, e.Probabilities[i]))
		mean = math.Max(mean, math.Abs(d.Mean()-e.Mean[i])/sd)
		compat := Bars{Borders: d.Borders, Mass: d.Mass, Compat: true, below: d.below}
		for k, p := range e.QuantileLevels { // the package's quantiles have no tails
			quantiles = math.Max(quantiles, math.Abs(compat.CDF(e.Quantiles[i][k])-p))
		}
	}
	r.add(stage+": probabilities", mass, barMassTolerance)
	r.add(stage+": mean", mean, barResultTolerance)
	r.add(stage+": quantiles", quantiles, barMassTolerance)
}
