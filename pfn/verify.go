package pfn

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/pfnamp/pfnamp/models"
)

// Tolerances of Verify. Pipelines are float64 on both sides and differ by the order of summation
// and the search for lambda. Networks are float32: onnxruntime and torch differ by up to 1e-5 on
// one machine, and processors differ among themselves; a mistake in a graph, such as a constant
// log N, shows at 1e-3.
const (
	pipelineTolerance = 1e-6 // relative to max(1, |expected|)
	networkTolerance  = 5e-5 // standardised units, relative likewise
	resultTolerance   = 5e-5 // in standard deviations of the target
)

// Report says how far a model is from its golden vectors.
type Report struct {
	Cases []CaseReport
}

// OK reports whether every stage of every case is within its tolerance.
func (r Report) OK() bool {
	return len(r.Cases) > 0 && !slices.ContainsFunc(r.Cases, func(c CaseReport) bool {
		return slices.ContainsFunc(c.Stages, func(s StageReport) bool { return !s.OK })
	})
}

// CaseReport holds the stages of one golden case in the order of the computation.
type CaseReport struct {
	Name   string
	Stages []StageReport
}

// StageReport compares one stage with what the exporter's implementation computed.
type StageReport struct {
	Name      string
	MaxDiff   float64 // largest difference, in the units of Tolerance
	Tolerance float64
	OK        bool
}

// Verify replays the golden vectors of a bundle: composition of the members, feature and target
// pipelines, raw output of the network, averaged distributions and what is read from them. The
// error says that the replay could not be run; differences are in the report.
func Verify(ctx context.Context, b *models.Bundle, opt Options) (Report, error) {
	cases, err := goldenCases(b)
	if err != nil {
		return Report{}, err
	}
	opt.Refit, opt.NoFingerprint = true, true
	m, err := Open(b, opt)
	if err != nil {
		return Report{}, err
	}
	defer m.Close()
	var report Report
	for _, g := range cases {
		c, err := g.replay(ctx, m)
		if err != nil {
			return Report{}, fmt.Errorf("golden case %q: %w", g.name, err)
		}
		report.Cases = append(report.Cases, c)
	}
	return report, nil
}

// goldenCase is one case of a bundle of any family.
type goldenCase struct {
	name   string
	replay func(ctx context.Context, m *Model) (CaseReport, error)
}

// goldenCases lists the cases of a bundle.
func goldenCases(b *models.Bundle) ([]goldenCase, error) {
	if b.Manifest.Classifier() {
		return goldenClasses(b)
	}
	var cases []goldenCase
	if b.Manifest.Family == models.TabPFNFamily {
		golden, err := b.GoldenBars()
		if err != nil {
			return nil, err
		}
		for i := range golden.Cases {
			g := &golden.Cases[i]
			cases = append(cases, goldenCase{g.Name,
				func(ctx context.Context, m *Model) (CaseReport, error) {
					return m.replayBars(ctx, g)
				}})
		}
		return cases, nil
	}
	golden, err := b.Golden()
	if err != nil {
		return nil, err
	}
	for i := range golden.Cases {
		g := &golden.Cases[i]
		cases = append(cases, goldenCase{g.Name,
			func(ctx context.Context, m *Model) (CaseReport, error) { return m.replay(ctx, g) }})
	}
	return cases, nil
}

// replay runs one golden case the way Fit and Predict do.
func (m *Model) replay(ctx context.Context, g *models.GoldenCase) (CaseReport, error) {
	r := replayed{report: CaseReport{Name: g.Name}, golden: g,
		grain: float32Grain(g)}
	train := Training{X: cells(g.XTrain), Categorical: g.Categorical, Y: g.YTrain}
	c, err := m.fit(ctx, train, len(g.Members))
	if err != nil {
		return CaseReport{}, err
	}
	defer c.Close()
	if c.encoder == nil {
		return CaseReport{}, fmt.Errorf("the network is not needed for this table")
	}
	query := cells(g.XTest)
	r.pipelines(c, train.X, query)
	if !r.shapesAgree(c) {
		return r.report, nil
	}
	if err := r.network(ctx, c, query); err != nil {
		return CaseReport{}, err
	}
	results, err := c.predict(ctx, query, len(m.heads))
	if err != nil {
		return CaseReport{}, err
	}
	r.distributions("result", results[0], c.target.SD)
	if m.Direct() {
		r.medians("result", results[1], c.target.SD)
	}
	r.postprocessing(c)
	return r.report, nil
}

// replayed collects the stages of one case.
type replayed struct {
	report CaseReport
	golden *models.GoldenCase
	grain  float64 // float32 rounding of the raw target, in deviations of the target
}

// float32Grain is how far rounding the target to float32 before it is centred, as the reference
// implementation does and this package does not, can move a standardised value.
func float32Grain(g *models.GoldenCase) float64 {
	var largest float64
	for _, y := range g.YTrain {
		largest = math.Max(largest, math.Abs(float64(float32(y))-y))
	}
	return 2 * largest / g.Expect.SD
}

// add appends a stage.
func (r *replayed) add(name string, diff, tolerance float64) {
	r.report.Stages = append(r.report.Stages, StageReport{name, diff, tolerance, diff <= tolerance})
}

// shapesAgree reports whether members and widths are those of the golden case, without which no
// tensor can be compared.
func (r *replayed) shapesAgree(c *Context) bool {
	return len(c.encoder.Members) == len(r.golden.Members) &&
		c.encoder.Width() == len(r.golden.Members[0].Permutation)
}

// pipelines compares members, target scaling and encoded features.
func (r *replayed) pipelines(c *Context, train, query Matrix) {
	g := r.golden
	same := len(c.encoder.Members) == len(g.Members)
	for i := 0; same && i < len(g.Members); i++ {
		same = c.encoder.Members[i].Norm == g.Members[i].Norm &&
			slices.Equal(c.encoder.Members[i].Permutation, g.Members[i].Permutation)
	}
	mismatch := 0.0
	if !same {
		mismatch = math.Inf(1)
	}
	r.add("members", mismatch, 0)
	if !r.shapesAgree(c) {
		return
	}
	r.add("mu", math.Abs(c.target.Mean-g.Expect.Mu)/g.Expect.SD,
		pipelineTolerance+r.grain)
	r.add("sd", math.Abs(c.target.SD/g.Expect.SD-1), pipelineTolerance+r.grain)
	r.add("y_train", difference(widen(c.target.Standardize(g.YTrain)), g.Stages.YTrain),
		pipelineTolerance+r.grain)
	r.add("x_train", difference(widen(c.encoder.Transform(train)),
		flatten(g.Stages.XTrain)), pipelineTolerance)
	r.add("x_test", difference(widen(c.encoder.Transform(query)),
		flatten(g.Stages.XTest)), pipelineTolerance)
}

// network compares the raw quantiles of every member.
func (r *replayed) network(ctx context.Context, c *Context, query Matrix) error {
	heads := c.model.heads
	blocks, err := c.raw(ctx, query, len(heads))
	if err != nil {
		return err
	}
	worst, size := make([]float64, len(heads)), c.blockRows(query.Rows)
	for k, outputs := range blocks {
		first := k * size
		last := min(first+size, query.Rows)
		for i, members := range outputs {
			for b, raw := range members {
				want := slices.Concat(r.raw(heads[i])[b][first:last]...)
				worst[i] = math.Max(worst[i], difference(widen(raw[:len(want)]), want))
			}
		}
	}
	r.add("network", worst[0], networkTolerance)
	if c.model.Direct() {
		r.add("network: median", worst[1], networkTolerance)
	}
	return nil
}

// raw is what the network returned to the exporter for a head, [B][M][levels].
func (r *replayed) raw(h head) [][][]float64 {
	if h.name == models.MedianOutput {
		return r.golden.Stages.Medians
	}
	return r.golden.Stages.Quantiles
}

// postprocessing compares the distributions made from the golden raw quantiles.
func (r *replayed) postprocessing(c *Context) {
	averages := func(raw [][][]float64) []*Quantiles {
		rows := make([]*Quantiles, len(r.golden.XTest))
		for i := range rows {
			var members []*Quantiles
			for _, member := range raw {
				members = append(members, newQuantiles(slices.Clone(member[i])))
			}
			rows[i] = c.rescale(average(members))
		}
		return rows
	}
	r.distributions("post-processing", averages(r.golden.Stages.Quantiles), c.target.SD)
	if c.model.Direct() {
		r.medians("post-processing", averages(r.golden.Stages.Medians), c.target.SD)
	}
}

// medians compares the posteriors of the median as distributions compares those of the label.
func (r *replayed) medians(stage string, posteriors []*Quantiles, sd float64) {
	e, tolerance := r.golden.Expect.Median, resultTolerance+r.grain
	var knots, tails, quantiles float64
	for i, d := range posteriors {
		knots = math.Max(knots, difference(d.Knots, e.Knots[i]))
		tails = math.Max(tails, difference([]float64{d.Left, d.Right},
			[]float64{e.BetaLeft[i], e.BetaRight[i]}))
		for k, p := range r.golden.Expect.QuantileLevels {
			quantiles = math.Max(quantiles, math.Abs(d.Quantile(p)-e.Quantiles[i][k])/sd)
		}
	}
	r.add(stage+": median's knots", knots, tolerance)
	r.add(stage+": median's tails", tails, tolerance)
	r.add(stage+": median's quantiles", quantiles, tolerance)
}

// distributions compares knots, tails and what is read from the distributions, all in standard
// deviations of the target (probabilities as they are).
func (r *replayed) distributions(stage string, ppds []*Quantiles, sd float64) {
	e, tolerance := &r.golden.Expect, resultTolerance+r.grain
	var knots, tails, mean, quantiles, cdf float64
	for i, d := range ppds {
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
	r.add(stage+": knots", knots, tolerance)
	r.add(stage+": tails", tails, tolerance)
	r.add(stage+": mean", mean, tolerance)
	r.add(stage+": quantiles", quantiles, tolerance)
	r.add(stage+": cdf", cdf, tolerance)
}

// difference returns the largest |got - want| / max(1, |want|), +Inf if lengths differ.
func difference(got, want []float64) float64 {
	if len(got) != len(want) {
		return math.Inf(1)
	}
	var worst float64
	for i, w := range want {
		worst = math.Max(worst, math.Abs(got[i]-w)/math.Max(1, math.Abs(w)))
	}
	return worst
}

// flatten lists a tensor in row-major order.
func flatten(tensor [][][]float64) []float64 {
	var flat []float64
	for _, matrix := range tensor {
		flat = append(flat, slices.Concat(matrix...)...)
	}
	return flat
}

// cells makes a feature table of golden rows.
func cells(rows [][]models.Cell) Matrix {
	m := Matrix{Rows: len(rows), Cols: len(rows[0])}
	for _, row := range rows {
		for _, cell := range row {
			m.Data = append(m.Data, float64(cell))
		}
	}
	return m
}
