package pfn

import (
	"cmp"
	"context"
	"math"
	"slices"

	"github.com/pfnamp/pfnamp/pfn/internal/golden"
	"github.com/pfnamp/pfnamp/pfn/internal/trend"
)

// probabilityTolerance is the tolerance of class probabilities in Verify. The reference computes
// them in float32, and the logits of a network differ by up to networkTolerance between processors.
const probabilityTolerance = 1e-5

func (c classCase) replay(ctx context.Context, m *Model) (CaseReport, error) {
	r := replayedClasses{CaseReport{Name: c.Name}, c}
	train := trainingOf(c.Table)
	fitted, e, err := refit[tabiclEnsemble](ctx, m, train, len(c.Members))
	if err != nil {
		return CaseReport{}, err
	}
	defer fitted.Close()
	query := golden.Cells(c.XTest)
	if !r.pipelines(m, e, &table{train, fitted.target}, query) {
		return r.CaseReport, nil
	}
	worst, err := fitted.rawDifference(ctx, query, ofLabel, c.Stages.Logits)
	if err != nil {
		return CaseReport{}, err
	}
	r.Add("network", worst, networkTolerance)
	rows, err := fitted.Results(ctx, query, true)
	if err != nil {
		return CaseReport{}, err
	}
	worst = 0
	for i, row := range rows {
		worst = math.Max(worst, difference(row.Classes, c.Expect.Probabilities[i]))
	}
	r.Add("result: probabilities", worst, probabilityTolerance)
	r.postprocessing(e, m.heads[ofLabel].head.(classHead))
	if m.Own() {
		err = r.secondOutput(ctx, fitted, query, rows)
	}
	return r.CaseReport, err
}

// replayedClasses collects the stages of one case.
type replayedClasses struct {
	CaseReport
	golden classCase
}

// pipelines compares members, classes and encoded features, and reports whether the members are
// those of the golden case. Otherwise no tensor can be compared.
func (r *replayedClasses) pipelines(m *Model, e tabiclEnsemble, train *table, query Matrix) bool {
	g, members := r.golden, e.Members
	same := len(members) == len(g.Members)
	for i := 0; same && i < len(members); i++ {
		same = members[i].Norm == g.Members[i].Norm &&
			members[i].Trend == cmp.Or(g.Members[i].Trend, trend.None) &&
			slices.Equal(members[i].Permutation, g.Members[i].Permutation) &&
			slices.Equal(members[i].Classes, g.Members[i].Classes)
	}
	if !same {
		r.Add("members", math.Inf(1), 0)
		return false
	}
	r.Add("members", 0, 0)
	lessons, queries := lessonsOf(m, train, len(members)), e.Queries(query)
	var y, x, z float64
	for i, l := range lessons {
		y = math.Max(y, difference(widen(l.y.Data), g.Stages.YTrain[i]))
		x = math.Max(x, difference(widen(l.x.Data), slices.Concat(g.Stages.XTrain[i]...)))
		z = math.Max(z, difference(widen(queries[i]), slices.Concat(g.Stages.XTest[i]...)))
	}
	r.Add("y_train", y, 0)
	r.Add("x_train", x, pipelineTolerance)
	r.Add("x_test", z, pipelineTolerance)
	return true
}

// postprocessing compares the results from the golden logits.
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
	r.Add("post-processing: logits", logits, pipelineTolerance)
	r.Add("post-processing: probabilities", probabilities, pipelineTolerance)
}
