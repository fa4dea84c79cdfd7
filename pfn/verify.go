package pfn

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/pfnamp/pfnamp/distr"
	"github.com/pfnamp/pfnamp/models"
	"github.com/pfnamp/pfnamp/pfn/internal/golden"
)

// int8Tolerance is the tolerance of a network's output, and of results, with 8-bit products, for
// bundles without a golden tolerance. The embedded networks differ by up to 0.19, one of the
// official size with random weights by 0.01; products that overflow show at 1.
const int8Tolerance = 0.25

// Report holds the differences of a model from its golden vectors.
type Report = golden.Report

// CaseReport holds what is compared of one golden case.
type CaseReport = golden.CaseReport

// PartReport holds the difference of one part from the exporter's implementation.
type PartReport = golden.PartReport

// Verify replays the golden vectors of a sealed bundle (models.Bundle.Sealed) from the table to the
// answer: composition of the members, raw output of the network, averaged distributions and numbers
// read from them. An error means that the replay could not run; the report holds the
// differences.
func Verify(ctx context.Context, b *models.Bundle, opt Options) (Report, error) {
	if !b.Sealed() {
		return Report{}, &BundleError{Bundle: b.Source, Msg: "SHA256SUMS is missing, so a change of " +
			"manifest.json, which changes answers, would go unnoticed; export the bundle again or, " +
			"if you trust it, run `sha256sum manifest.json LICENSE > SHA256SUMS` in its folder"}
	}
	cases, err := golden.Read(b.Golden(), &b.Manifest)
	if err != nil {
		return Report{}, &BundleError{Bundle: b.Source, File: b.Manifest.Golden.File,
			Msg: "the golden vectors are invalid", Err: err}
	}
	opt.Refit, opt.NoFingerprint = true, true
	m, err := Open(b, opt)
	if err != nil {
		return Report{}, err
	}
	defer m.Close()
	report := Report{Precision: m.precision.String()}
	if report.Precision == Int8 {
		report.Tolerance, report.Recorded = b.Manifest.GoldenTolerances[Int8]
		if !report.Recorded {
			report.Tolerance = int8Tolerance
		}
	}
	for i := range cases {
		c, err := m.replay(ctx, &cases[i], report.Tolerance)
		if err != nil {
			return Report{}, fmt.Errorf("golden case %q: %w", c.Name, err)
		}
		report.Cases = append(report.Cases, c)
	}
	return report, nil
}

// errNoNetwork is the error for a golden case that needs no network.
var errNoNetwork = errors.New("the network is not needed for this table")

// tolerances are those of Verify for a family. Processors differ among themselves in float32, and
// so do onnxruntime and torch.
type tolerances struct {
	network       float64 // of its output, relative to max(1, |expected|)
	result        float64 // of means and quantiles, in deviations of the target
	mass          float64 // of the probabilities of bars
	probabilities float64 // of classes
}

// loosened raises the tolerances to the least one of a precision.
func (t tolerances) loosened(least float64) tolerances {
	return tolerances{max(t.network, least), max(t.result, least), max(t.mass, least),
		max(t.probabilities, least)}
}

// composed is an ensemble that describes its members as golden vectors do.
type composed interface {
	ensemble
	composition(member int) golden.Member // without its numbers
}

// replay compares one golden case with what Fit and Predict compute.
type replay struct {
	golden.CaseReport
	golden *golden.Case
	tolerances
	grain float64 // float32 rounding of the raw target, in deviations of the target
}

// trainingOf returns the context of a case. Golden vectors are those of the original pipelines,
// which do not bend outliers.
func trainingOf(c *golden.Case) Training {
	return Training{X: golden.Cells(c.XTrain), Categorical: c.Categorical, Y: c.YTrain, raw: true}
}

// replay compares the members, the output of the network and the result of a case. No tolerance is
// below least.
func (m *Model) replay(
	ctx context.Context, c *golden.Case, least float64,
) (golden.CaseReport, error) {
	r := &replay{CaseReport: CaseReport{Name: c.Name}, golden: c,
		tolerances: m.family.tolerances().loosened(least), grain: float32Grain(c)}
	fitted, err := m.fit(ctx, trainingOf(c), len(c.Members))
	if err != nil {
		return r.CaseReport, err
	}
	defer fitted.Close()
	e, ok := fitted.ensemble.(composed)
	if !ok {
		return r.CaseReport, errNoNetwork
	}
	var members []golden.Member
	for b := range e.members() {
		members = append(members, e.composition(b))
	}
	if !golden.Same(members, c.Members) { // no output can be compared
		r.Add("members", math.Inf(1), 0)
		return r.CaseReport, nil
	}
	r.Add("members", 0, 0)
	query := golden.Cells(c.XTest)
	if err := r.raw(ctx, fitted, query); err != nil {
		return r.CaseReport, err
	}
	rows, err := fitted.Results(ctx, query, true)
	if err != nil {
		return r.CaseReport, err
	}
	r.results(rows, fitted.target)
	return r.CaseReport, nil
}

// float32Grain returns how far the rounding of the target to float32 can move a standardised value.
// The reference implementation rounds before it centres; this package does not. Classes are whole
// numbers, which do not move.
func float32Grain(c *golden.Case) float64 {
	if c.Expect.SD == 0 { // of classes
		return 0
	}
	var largest float64
	for _, y := range c.YTrain {
		largest = math.Max(largest, math.Abs(float64(float32(y))-y))
	}
	return 2 * largest / c.Expect.SD
}

// raw compares what the network returns for every member.
func (r *replay) raw(ctx context.Context, c *Context, query Matrix) error {
	worst, err := c.rawDifference(ctx, query, ofLabel, r.golden.Raw())
	if err != nil {
		return err
	}
	r.Add("network", worst, r.network)
	if c.model.Own() {
		worst, err = c.rawDifference(ctx, query, ofOwn, r.golden.RawOwn())
		r.Add("network: posterior", worst, r.network)
	}
	return err
}

// rawDifference compares the network's output for a head with [B][M] lists of values. Of each row
// it compares as many values as the list has.
func (c *Context) rawDifference(
	ctx context.Context, x Matrix, of role, want [][][]float64,
) (float64, error) {
	v := c.voices[of]
	blocks, err := c.run(ctx, x, block{rows: x.Rows}, c.asked(of == ofOwn))
	if err != nil {
		return 0, err
	}
	worst := 0.0
	for _, b := range blocks {
		for i := range b.rows {
			for member, raw := range b.row(v, i) {
				values := slices.Clone(want[member][b.first+i])
				got := widen(raw[:min(len(raw), len(values))])
				if of == ofOwn && c.hierarchy != nil {
					logistics(got) // offsets of products are logits, whose errors grow with their parts
					logistics(values)
				}
				worst = math.Max(worst, golden.Difference(got, values))
			}
		}
	}
	return worst, nil
}

// logistics turns logits into probabilities in place.
func logistics(values []float64) {
	for i, v := range values {
		values[i] = logistic(v)
	}
}

// results compares the results of all rows with the expected ones.
func (r *replay) results(rows []Result, t target) {
	for i, row := range rows {
		switch d := row.PPD.(type) {
		case *distr.Quantiles:
			r.quantiles(i, d, t.SD)
		case *distr.Bars:
			r.bars(i, d, t.SD)
		default:
			r.Add("result: probabilities",
				golden.Difference(row.Classes, r.golden.Expect.Probabilities[i]), r.probabilities)
		}
		switch own := row.Own.(type) {
		case *distr.Surface:
			r.surface(i, own, t)
		case *distr.ClassPosterior:
			for k, quantiles := range own.Quantiles {
				r.Add("result: posterior",
					golden.Difference(quantiles, r.golden.Expect.Posterior[i][k]), r.result)
			}
		}
	}
}

// quantiles compares knots, tails and numbers of a distribution, in standard deviations of the
// target (probabilities as they are). Without levels the expected quantiles are the knots, relative
// to the largest output of a member where that is more than 1: the package averages members in
// float32.
func (r *replay) quantiles(row int, d *distr.Quantiles, sd float64) {
	e, tolerance := &r.golden.Expect, r.result+r.grain
	if len(e.QuantileLevels) == 0 {
		for k, want := range e.Quantiles[row] {
			scale := 1.0
			for _, member := range r.golden.Raw() {
				scale = math.Max(scale, math.Abs(member[row][k]))
			}
			r.Add("result: quantiles", math.Abs(d.Knot(k)-want)/(scale*sd), r.result)
		}
		return
	}
	r.Add("result: knots", golden.Difference(d.Knots, e.Knots[row]), tolerance)
	r.Add("result: tails", golden.Difference([]float64{d.Left, d.Right},
		[]float64{e.BetaLeft[row], e.BetaRight[row]}), tolerance)
	r.Add("result: mean", math.Abs(d.Mean()-e.Mean[row])/sd, tolerance)
	for k, p := range e.QuantileLevels {
		r.Add("result: quantiles", math.Abs(d.Quantile(p)-e.Quantiles[row][k])/sd, tolerance)
	}
	for _, at := range e.CDFAt[row] {
		r.Add("result: cdf", math.Abs(d.CDF(at[0])-at[1]), tolerance)
	}
}

// bars compares probabilities, mean and quantiles of a distribution; the package's quantiles have
// no tails.
func (r *replay) bars(row int, d *distr.Bars, sd float64) {
	e := &r.golden.Expect
	r.Add("result: probabilities", golden.Difference(d.Mass, e.Probabilities[row]), r.mass)
	r.Add("result: mean", math.Abs(d.Mean()-e.Mean[row])/sd, r.result)
	compat := distr.Bars{Borders: d.Borders, Mass: d.Mass, Compat: true}
	for k, p := range e.QuantileLevels {
		r.Add("result: quantiles", math.Abs(compat.CDF(e.Quantiles[row][k])-p), r.mass)
	}
}

// surface compares a surface in standard deviations of the target. Expected values are
// standardised.
func (r *replay) surface(row int, s *distr.Surface, t target) {
	for k, quantiles := range append(slices.Clip(s.Quantiles), s.Mean) {
		for j, v := range quantiles {
			want := r.golden.Expect.Surface[row][k][j]
			r.Add("result: posterior", math.Abs((v-t.Mean)/t.SD-want), r.result+r.grain)
		}
	}
}
