package pfn

import (
	"context"
	"math"

	"github.com/pfnamp/pfnamp/pfn/internal/golden"
)

func (c ownQuantileCase) replay(ctx context.Context, m *Model) (CaseReport, error) {
	r := CaseReport{Name: c.Name}
	train := trainingOf(c.Table)
	fitted, e, err := refit[composed](ctx, m, train, len(c.Members))
	if err != nil {
		return CaseReport{}, err
	}
	defer fitted.Close()
	query := golden.Cells(c.XTest)
	if !c.pipelines(&r, e, &table{train, fitted.target}, query) {
		return r, nil
	}
	worst, err := fitted.rawDifference(ctx, query, ofLabel, golden.LogitsOf(c.Members))
	if err != nil {
		return CaseReport{}, err
	}
	r.Add("network", worst, ownNetworkTolerance)
	ppds, err := fitted.Predict(ctx, query)
	if err != nil {
		return CaseReport{}, err
	}
	made := make([]PPD, len(ppds))
	for i := range made {
		made[i] = fitted.voices[ofLabel].combine(logitsOfRow(c.Members, i), weighing{}).(PPD)
	}
	r.Add("post-processing: quantiles", c.difference(made), ownPipelineTolerance)
	r.Add("result: quantiles", c.difference(ppds), ownResultTolerance)
	return r, nil
}

// pipelines compares members, target and features, and reports whether the members are those of the
// golden case.
func (c ownQuantileCase) pipelines(
	r *CaseReport, e composed, train *table, query Matrix,
) bool {
	if !compareMembers(r, e, c.Members) {
		return false
	}
	r.Add("mu", math.Abs(train.Mean-c.Expect.Mu)/c.Expect.SD, ownPipelineTolerance)
	r.Add("sd", math.Abs(train.SD/c.Expect.SD-1), ownPipelineTolerance)
	y := train.labels(nil)
	compareTensors(r, e, func(int) []float32 { return y }, train.X, query, c.Members)
	return true
}

// difference compares distributions at their knots, in deviations of the target, and relative to
// the largest output of a member where that is more than 1: the package averages members in
// float32.
func (c ownQuantileCase) difference(ppds []PPD) float64 {
	var worst float64
	for i, ppd := range ppds {
		d := ppd.(*Quantiles)
		for k, want := range c.Expect.Quantiles[i] {
			scale := 1.0
			for _, m := range c.Members {
				scale = math.Max(scale, math.Abs(m.Logits[i][k]))
			}
			worst = math.Max(worst, math.Abs(d.knot(k)-want)/(scale*c.Expect.SD))
		}
	}
	return worst
}
