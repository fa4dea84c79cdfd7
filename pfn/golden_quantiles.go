package pfn

import (
	"cmp"
	"context"
	"math"
	"slices"

	"github.com/pfnamp/pfnamp/pfn/internal/golden"
	"github.com/pfnamp/pfnamp/pfn/internal/trend"
)

// replayed collects the stages of one case.
type replayed struct {
	CaseReport
	golden quantileCase
	grain  float64 // float32 rounding of the raw target, in deviations of the target
}

func (c quantileCase) replay(ctx context.Context, m *Model) (CaseReport, error) {
	r := replayed{CaseReport{Name: c.Name}, c, float32Grain(c)}
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
	if err := r.network(ctx, fitted, query); err != nil {
		return CaseReport{}, err
	}
	results, err := fitted.Results(ctx, query, true)
	if err != nil {
		return CaseReport{}, err
	}
	r.distributions("result", results, fitted.target.SD)
	if m.Own() {
		r.surfaces("result", results, fitted.target)
	}
	r.postprocessing(fitted)
	return r.CaseReport, nil
}

// float32Grain returns how far the rounding of the target to float32 can move a standardised value.
// The reference implementation rounds before it centres; this package does not.
func float32Grain(c quantileCase) float64 {
	var largest float64
	for _, y := range c.YTrain {
		largest = math.Max(largest, math.Abs(float64(float32(y))-y))
	}
	return 2 * largest / c.Expect.SD
}

// pipelines compares members, target scaling and encoded features, and reports whether the members
// are those of the golden case. Otherwise no tensor can be compared.
func (r *replayed) pipelines(m *Model, e tabiclEnsemble, train *table, query Matrix) bool {
	g := r.golden
	same := len(e.Members) == len(g.Members)
	for b := 0; same && b < len(g.Members); b++ {
		same = e.Members[b].Norm == g.Members[b].Norm &&
			slices.Equal(e.Members[b].Permutation, g.Members[b].Permutation) &&
			e.Members[b].Trend == cmp.Or(g.Members[b].Trend, trend.None)
	}
	if !same {
		r.Add("members", math.Inf(1), 0)
		return false
	}
	r.Add("members", 0, 0)
	t, tolerance := train.target, pipelineTolerance+r.grain
	r.Add("mu", math.Abs(t.Mean-g.Expect.Mu)/g.Expect.SD, tolerance)
	r.Add("sd", math.Abs(t.SD/g.Expect.SD-1), tolerance)
	r.Add("y_train", difference(widen(t.Standardize(g.YTrain)), g.Stages.YTrain), tolerance)
	var left, x, z float64 // largest differences
	queries := e.Queries(query)
	for b, l := range lessonsOf(m, train, len(e.Members)) {
		if kind := g.Members[b].Trend; kind != "" {
			gap := difference(widen(l.y.Data), g.Stages.YTrend[kind])
			left = math.Max(left, gap*g.Stages.TrendScale[kind])
		}
		x = math.Max(x, difference(widen(l.x.Data), slices.Concat(g.Stages.XTrain[b]...)))
		z = math.Max(z, difference(widen(queries[b]), slices.Concat(g.Stages.XTest[b]...)))
	}
	if e.HasTrends() {
		worst := 0.0
		along := e.Trends(query)
		for kind, scale := range along.Scale {
			worst = math.Max(worst, difference(append(along.At[kind], scale),
				append(slices.Clip(g.Stages.Trend[kind]), g.Stages.TrendScale[kind])))
		}
		r.Add("y_trend", left, tolerance)
		r.Add("trend", worst, tolerance)
		if along.Doubt != nil {
			r.Add("doubt", difference(along.Doubt, g.Stages.Doubt), tolerance)
		}
		r.Add("beyond", beyondDifference(g.Stages.Beyond, along.Beyond), tolerance)
	}
	r.Add("x_train", x, pipelineTolerance)
	r.Add("x_test", z, pipelineTolerance)
	return true
}

// lessonsOf returns the inputs of this number of members from a context.
func lessonsOf(m *Model, train *table, members int) []lesson {
	if train.Categorical == nil {
		train.Categorical = make([]bool, train.X.Cols)
	}
	_, lessons, err := m.family.fit(m, train, members)
	if err != nil {
		panic(err) // the context has been fitted
	}
	return lessons
}

// network compares what the network returns for every member.
func (r *replayed) network(ctx context.Context, c *Context, query Matrix) error {
	worst, err := c.rawDifference(ctx, query, ofLabel, r.golden.Stages.Quantiles)
	if err != nil {
		return err
	}
	r.Add("network", worst, networkTolerance)
	if c.model.Own() {
		if worst, err = c.rawDifference(ctx, query, ofOwn, r.golden.FlatSurfaces()); err != nil {
			return err
		}
		r.Add("network: surface", worst, networkTolerance)
	}
	return nil
}

// postprocessing compares the distributions made from the golden raw quantiles.
func (r *replayed) postprocessing(c *Context) {
	s := &r.golden.Stages
	trends := trendsOf(c.ensemble, golden.Cells(r.golden.XTest))
	label, weights := r.said(trends, s.Quantiles), make([]weighing, len(r.golden.XTest))
	results := make([]Result, len(label))
	for i, members := range label {
		weights[i] = trends.weigh(i, members)
		c.voices[ofLabel].combine(members, weights[i]).into(&results[i])
	}
	r.distributions("post-processing", results, c.target.SD)
	if c.model.Own() {
		for i, members := range r.said(trends, r.golden.FlatSurfaces()) {
			c.voices[ofOwn].combine(members, weights[i]).into(&results[i])
		}
		r.surfaces("post-processing", results, c.target)
	}
}

// said returns the exporter's network output, [B][M], with the trends, by row and member.
func (r *replayed) said(trends trends, raw [][][]float64) [][][]float32 {
	rows := make([][][]float32, len(r.golden.XTest))
	for i := range rows {
		for b := range raw {
			rows[i] = append(rows[i], narrow(raw[b][i]))
		}
		trends.add(i, rows[i])
	}
	return rows
}

// distributions compares knots, tails and numbers of the distributions, in standard deviations of
// the target (probabilities as they are).
func (r *replayed) distributions(stage string, rows []Result, sd float64) {
	e, tolerance := &r.golden.Expect, resultTolerance+r.grain
	var knots, tails, mean, quantiles, cdf float64
	for i, row := range rows {
		d := row.PPD.(*Quantiles)
		knots = math.Max(knots, difference(d.Knots, e.Knots[i]))
		tails = math.Max(tails, difference([]float64{d.Left, d.Right},
			[]float64{e.BetaLeft[i], e.BetaRight[i]}))
		mean = math.Max(mean, math.Abs(d.Mean()-e.Mean[i])/sd)
		for k, p := range e.QuantileLevels {
			quantiles = math.Max(quantiles, math.Abs(d.Quantile(p)-e.Quantiles[i][k])/sd)
		}
		for _, at := range e.CDFAt[i] {
			cdf = math.Max(cdf, math.Abs(d.CDF(at[0])-at[1]))
		}
	}
	r.Add(stage+": knots", knots, tolerance)
	r.Add(stage+": tails", tails, tolerance)
	r.Add(stage+": mean", mean, tolerance)
	r.Add(stage+": quantiles", quantiles, tolerance)
	r.Add(stage+": cdf", cdf, tolerance)
}

// beyondDifference returns the largest difference in the distances of query rows from the context.
func beyondDifference(want *golden.Beyond, got []trend.Beyond) float64 {
	switch {
	case want == nil && got == nil:
		return 0
	case want == nil || got == nil:
		return math.Inf(1)
	}
	variance, share := make([]float64, len(got)), make([]float64, len(got))
	for i, v := range got {
		variance[i], share[i] = v.Variance, v.Share
	}
	return math.Max(difference(variance, want.Variance), difference(share, want.Share))
}
