package pfn

import (
	"context"
	"math"

	"github.com/pfnamp/pfnamp/pfn/internal/golden"
)

func (c ownClassCase) replay(ctx context.Context, m *Model) (CaseReport, error) {
	r := CaseReport{Name: c.Name}
	train := trainingOf(c.Table)
	fitted, e, err := refit[tabpfnEnsemble](ctx, m, train, len(c.Members))
	if err != nil {
		return CaseReport{}, err
	}
	defer fitted.Close()
	query := golden.Cells(c.XTest)
	if !compareMembers(&r, e, c.Members) {
		return r, nil
	}
	labels := func(member int) []float32 { return e.labels(member, &table{train, fitted.target}) }
	compareTensors(&r, e, labels, train.X, query, c.Members)
	worst, err := fitted.rawDifference(ctx, query, ofLabel, golden.LogitsOf(c.Members))
	if err != nil {
		return CaseReport{}, err
	}
	r.Add("network", worst, ownNetworkTolerance)
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
	r.Add("post-processing: probabilities", made, probabilityTolerance)
	r.Add("result: probabilities", read, ownMassTolerance)
	return r, nil
}
