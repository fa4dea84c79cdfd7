package pfn

import (
	"context"
	"math"

	"github.com/pfnamp/pfnamp/pfn/internal/golden"
)

func (c barCase) replay(ctx context.Context, m *Model) (CaseReport, error) {
	r := replayedBars{CaseReport{Name: c.Name}, c}
	train := trainingOf(c.Table)
	fitted, e, err := refit[tabpfnEnsemble](ctx, m, train, len(c.Members))
	if err != nil {
		return CaseReport{}, err
	}
	defer fitted.Close()
	query := golden.Cells(c.XTest)
	if !r.pipelines(e, table{train, fitted.target}, query) {
		return r.CaseReport, nil
	}
	worst, err := fitted.rawDifference(ctx, query, ofLabel, golden.LogitsOf(c.Members))
	if err != nil {
		return CaseReport{}, err
	}
	r.Add("network", worst, ownNetworkTolerance)
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
	golden barCase
}

// pipelines compares members, targets and features, and reports whether the members are those of
// the golden case.
func (r *replayedBars) pipelines(e tabpfnEnsemble, train table, query Matrix) bool {
	g, t := r.golden, e.Transformer
	if !compareMembers(&r.CaseReport, e, g.Members) {
		return false
	}
	r.Add("mu", math.Abs(t.Target.Mean-g.Expect.Mu)/g.Expect.SD, ownPipelineTolerance)
	r.Add("sd", math.Abs(t.Target.SD/g.Expect.SD-1), ownPipelineTolerance)
	labels := func(member int) []float32 { return e.labels(member, &train) }
	compareTensors(&r.CaseReport, e, labels, train.X, query, g.Members)
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

// distributions compares probabilities, means and quantiles.
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
	r.Add(stage+": probabilities", mass, ownMassTolerance)
	r.Add(stage+": mean", mean, ownResultTolerance)
	r.Add(stage+": quantiles", quantiles, ownMassTolerance)
}
