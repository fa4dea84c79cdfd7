package pfn

import (
	"context"
	"fmt"
	"math"
	"slices"

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

// replayBars runs one golden case of a TabPFN bundle the way Fit and Predict do.
func (m *Model) replayBars(ctx context.Context, g *models.GoldenBarsCase) (CaseReport, error) {
	r := replayedBars{report: CaseReport{Name: g.Name}, golden: g}
	train := Training{X: cells(g.XTrain), Categorical: g.Categorical, Y: g.YTrain}
	c, err := m.fit(ctx, train, len(g.Members))
	if err != nil {
		return CaseReport{}, err
	}
	defer c.Close()
	if c.bars == nil {
		return CaseReport{}, fmt.Errorf("the network is not needed for this table")
	}
	query := cells(g.XTest)
	if !r.pipelines(c, train.X, query) {
		return r.report, nil
	}
	logits, err := c.logits(ctx, query)
	if err != nil {
		return CaseReport{}, err
	}
	var worst float64
	for b, member := range g.Members {
		worst = math.Max(worst, difference(widen(logits[b]), slices.Concat(member.Logits...)))
	}
	r.add("network", worst, barNetworkTolerance)
	r.postprocessing(c)
	ppds, err := c.Predict(ctx, query)
	if err != nil {
		return CaseReport{}, err
	}
	r.distributions("result", ppds, c.target.SD)
	return r.report, nil
}

// replayedBars collects the stages of one case.
type replayedBars struct {
	report CaseReport
	golden *models.GoldenBarsCase
}

func (r *replayedBars) add(name string, diff, tolerance float64) {
	r.report.Stages = append(r.report.Stages, StageReport{name, diff, tolerance, diff <= tolerance})
}

// pipelines compares members, targets and features, and reports whether the members are those of
// the golden case.
func (r *replayedBars) pipelines(c *Context, train, query Matrix) bool {
	g, t := r.golden, c.bars.transformer
	mismatch := 0.0
	for i, want := range g.Members {
		got := t.Members[i]
		same := string(got.Pipeline) == want.Pipeline && got.PowerTarget == want.PowerTarget &&
			got.Seed == want.Seed && slices.Equal(t.Permutation(i), want.Permutation)
		if !same {
			mismatch = math.Inf(1)
		}
	}
	r.add("members", mismatch, 0)
	if mismatch > 0 {
		return false
	}
	r.add("mu", math.Abs(t.Target.Mean-g.Expect.Mu)/g.Expect.SD, barPipelineTolerance)
	r.add("sd", math.Abs(t.Target.SD/g.Expect.SD-1), barPipelineTolerance)
	var y, x, z float64
	context := t.Context(train)
	queries := t.Queries(query)
	for i, want := range g.Members {
		y = math.Max(y, difference(widen(t.Labels(i)), want.YTrain))
		x = math.Max(x, cellDifference(context[i], want.XTrain))
		z = math.Max(z, cellDifference(queries[i], want.XTest))
	}
	r.add("y_train", y, barPipelineTolerance)
	r.add("x_train", x, barPipelineTolerance)
	r.add("x_test", z, barPipelineTolerance)
	return true
}

// postprocessing compares the distributions made from the golden logits.
func (r *replayedBars) postprocessing(c *Context) {
	ppds := make([]PPD, len(r.golden.XTest))
	for i := range ppds {
		var row [][]float32
		for _, member := range r.golden.Members {
			logits := make([]float32, len(member.Logits[i]))
			for k, v := range member.Logits[i] {
				logits[k] = float32(v)
			}
			row = append(row, logits)
		}
		ppds[i] = newBars(c.bars.borders, c.bars.transformer.Combine(row), c.bars.compat)
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

// cellDifference is difference for rows of cells; a missing cell must be missing.
func cellDifference(got []float32, want [][]models.Cell) float64 {
	flat := slices.Concat(want...)
	if len(flat) != len(got) {
		return math.Inf(1)
	}
	var worst float64
	for i, w := range flat {
		v, x := float64(w), float64(got[i])
		switch {
		case math.IsNaN(v) != math.IsNaN(x):
			return math.Inf(1)
		case !math.IsNaN(v):
			worst = math.Max(worst, math.Abs(x-v)/math.Max(1, math.Abs(v)))
		}
	}
	return worst
}
