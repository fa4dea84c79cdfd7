package pfn

import (
	"context"
	"errors"
	"math"
	"slices"

	"github.com/pfnamp/pfnamp/models"
)

// checkPosterior compares the lengths of the vectors of the posterior of class probabilities, which
// must be there if and only if the manifest has one.
func (c *classCase) checkPosterior(p *models.ClassPosterior) error {
	raw, expect := c.Stages.Posterior, c.Expect.Posterior
	switch {
	case p == nil && raw == nil && expect == nil:
		return nil
	case p == nil:
		return errors.New("there are vectors of a class posterior, which the manifest lacks")
	case raw == nil || expect == nil:
		return errors.New(
			"stages.class_posterior or expect.class_posterior is missing, but the manifest has one")
	}
	shape := [3]int{len(c.XTest), len(c.Members[0].Classes), len(p.PosteriorLevels)}
	stages := len(raw) == len(c.Members)
	for _, member := range raw {
		stages = stages && hasShape3(member, shape)
	}
	return firstWrong([]shaped{
		{"stages.class_posterior", stages},
		{"expect.class_posterior", hasShape3(expect, shape)},
	})
}

// flatPosteriors lists what the network returned to the exporter as [B][M] lists of values.
func (c *classCase) flatPosteriors() [][][]float64 {
	flat := make([][][]float64, len(c.Stages.Posterior))
	for b, member := range c.Stages.Posterior {
		for _, row := range member {
			flat[b] = append(flat[b], slices.Concat(row...))
		}
	}
	return flat
}

// combinedPosteriors makes posteriors of the golden output of the network and the golden
// probabilities.
func (c *classCase) combinedPosteriors(fitted *Context) []Result {
	flat, own := c.flatPosteriors(), fitted.voices[ofOwn]
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

// secondOutput compares what the network says of the posterior, and what becomes of it.
func (r *replayedClasses) secondOutput(
	ctx context.Context, fitted *Context, query Matrix, rows []Result,
) error {
	scale := func(offset float64) float64 { return offset }
	if fitted.hierarchy != nil {
		scale = logistic // offsets of products are logits, whose errors grow with their parts
	}
	worst, err := fitted.rawDifferenceOn(ctx, query, ofOwn, r.golden.flatPosteriors(), scale)
	if err != nil {
		return err
	}
	r.add("network: class posterior", worst, networkTolerance)
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
	r.add(stage+": class posterior", worst, resultTolerance)
}
