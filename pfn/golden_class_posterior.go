package pfn

import (
	"context"
	"math"
)

// combinedPosteriors makes posteriors from the golden output of the network and the golden
// probabilities.
func (c classCase) combinedPosteriors(fitted *Context) []Result {
	flat, own := c.FlatPosteriors(), fitted.voices[ofOwn]
	rows := make([]Result, len(c.XTest))
	for i, p := range c.Expect.Probabilities {
		members := make([][]float32, len(flat))
		for b := range flat {
			members[b] = narrow(flat[b][i])
		}
		rows[i].Classes = p
		own.combine(members, weighing{}).into(&rows[i])
	}
	return rows
}

// secondOutput compares the network's output for the posterior, and the posterior.
func (r *replayedClasses) secondOutput(
	ctx context.Context, fitted *Context, query Matrix, rows []Result,
) error {
	scale := func(offset float64) float64 { return offset }
	if fitted.hierarchy != nil {
		scale = logistic // offsets of products are logits, whose errors grow with their parts
	}
	worst, err := fitted.rawDifferenceOn(ctx, query, ofOwn, r.golden.FlatPosteriors(), scale)
	if err != nil {
		return err
	}
	r.Add("network: class posterior", worst, networkTolerance)
	r.posteriors("result", rows)
	r.posteriors("post-processing", r.golden.combinedPosteriors(fitted))
	return nil
}

// posteriors compares quantiles of class probabilities.
func (r *replayedClasses) posteriors(stage string, rows []Result) {
	worst := 0.0
	for i, r0 := range rows {
		for k, row := range r0.Own.(*ClassPosterior).Quantiles {
			worst = math.Max(worst, difference(row, r.golden.Expect.Posterior[i][k]))
		}
	}
	r.Add(stage+": class posterior", worst, resultTolerance)
}
