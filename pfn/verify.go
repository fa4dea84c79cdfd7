package pfn

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/pfnamp/pfnamp/distr"
	"github.com/pfnamp/pfnamp/models"
)

// int8Tolerance is the tolerance of a network's output, and of results, with 8-bit products, for
// bundles without a golden tolerance. The embedded networks differ by up to 0.19, one of the
// official size with random weights by 0.01; products that overflow show at 1.
const int8Tolerance = 0.25

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
	cases, err := readGolden(b.Golden())
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
	report := Report{Precision: m.precision.String(), Onnxruntime: m.info.Version}
	if report.Precision == Int8 {
		report.Tolerance, report.Recorded = b.Manifest.GoldenTolerances[Int8]
		if !report.Recorded {
			report.Tolerance = int8Tolerance
		}
	}
	for i := range cases {
		start := time.Now()
		c, err := m.replay(ctx, &cases[i], report.Tolerance)
		if err != nil {
			return Report{}, fmt.Errorf("golden case %q: %w", c.Name, err)
		}
		c.Seconds = time.Since(start).Seconds()
		report.Cases = append(report.Cases, c)
	}
	return report, nil
}

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

// replay compares one golden case with what Fit and Predict compute.
type replay struct {
	CaseReport
	golden *goldenCase
	tolerances
	grain float64 // float32 rounding of the raw target, in deviations of the target
}

// replay compares the members, the output of the network and the result of a case. No tolerance is
// below least.
func (m *Model) replay(ctx context.Context, c *goldenCase, least float64) (CaseReport, error) {
	r := &replay{CaseReport: CaseReport{Name: c.Name}, golden: c,
		tolerances: m.family.tolerances().loosened(least), grain: float32Grain(c)}
	fitted, err := m.fit(ctx, Training{X: matrixOf(c.XTrain), Categorical: c.Categorical, Y: c.YTrain,
		raw: true}, len(c.Members)) // the original pipelines do not bend outliers
	if err != nil {
		return r.CaseReport, err
	}
	defer fitted.Close()
	if fitted.Members() == 0 {
		return r.CaseReport, errors.New("the network is not needed for this table")
	}
	var members []goldenMember
	for b := range fitted.Members() {
		members = append(members, fitted.ensemble.composition(b))
	}
	if !slices.EqualFunc(members, c.Members, goldenMember.is) { // no output can be compared
		r.add("members", math.Inf(1), 0)
		return r.CaseReport, nil
	}
	r.add("members", 0, 0)
	query := matrixOf(c.XTest)
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
func float32Grain(c *goldenCase) float64 {
	if c.Expect.SD == 0 { // of classes
		return 0
	}
	var largest float64
	for _, y := range c.YTrain {
		largest = math.Max(largest, math.Abs(float64(float32(y))-y))
	}
	return 2 * largest / c.Expect.SD
}

func (r *replay) raw(ctx context.Context, c *Context, query Matrix) error {
	worst, err := c.rawDifference(ctx, query, ofLabel, r.golden.raw(ofLabel))
	if err != nil {
		return err
	}
	r.add("network", worst, r.network)
	if c.model.Own() {
		worst, err = c.rawDifference(ctx, query, ofOwn, r.golden.raw(ofOwn))
		r.add("network: posterior", worst, r.network)
	}
	return err
}

// rawDifference compares the network's output for a head with [B][M] lists of values. Of each row
// it compares as many values as the list has.
func (c *Context) rawDifference(
	ctx context.Context, x Matrix, of role, want [][]numbers,
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
				if member >= len(want) || len(want[member]) != x.Rows {
					return math.Inf(1), nil
				}
				values := want[member][b.first+i]
				got := widen(raw[:max(1, min(len(raw), len(values)))])
				worst = math.Max(worst, difference(got, values))
			}
		}
	}
	return worst, nil
}

// results compares distributions and numbers read from them, in standard deviations of the target
// (probabilities as they are). The package's quantiles of bars have no tails.
func (r *replay) results(rows []Result, t target) {
	e, tolerance := &r.golden.Expect, r.result+r.grain
	var knots, left, right, mass, mean, at, cdf, wantCDF, classes, own numbers
	for i, row := range rows {
		classes = append(classes, row.Classes...)
		switch d := row.PPD.(type) {
		case *distr.Quantiles:
			knots, left, right = append(knots, d.Knots...), append(left, d.Left), append(right, d.Right)
			mean = append(mean, d.Mean())
			for _, p := range e.QuantileLevels {
				at = append(at, d.Quantile(p))
			}
			if i < len(e.CDFAt) {
				for _, pair := range e.CDFAt[i] {
					cdf, wantCDF = append(cdf, d.CDF(pair[0])), append(wantCDF, pair[1])
				}
			}
		case *distr.Bars:
			mass, mean = append(mass, d.Mass...), append(mean, d.Mean())
			compat := distr.Bars{Borders: d.Borders, Mass: d.Mass, Compat: true}
			if i < len(e.Quantiles) {
				for _, q := range e.Quantiles[i] {
					at = append(at, compat.CDF(q))
				}
			}
		}
		switch d := row.Own.(type) {
		case *distr.Surface:
			for _, v := range slices.Concat(append(slices.Clip(d.Quantiles), d.Mean)...) {
				own = append(own, (v-t.Mean)/t.SD)
			}
		case *distr.ClassPosterior:
			own = append(own, slices.Concat(d.Quantiles...)...)
		}
	}
	switch {
	case mass != nil:
		r.add("result: probabilities", difference(mass, e.Probabilities), r.mass)
		r.add("result: mean", gapIn(mean, e.Mean, t.SD), r.result)
		r.add("result: quantiles", gapIn(at, slices.Repeat(e.QuantileLevels, len(rows)), 1), r.mass)
	case classes != nil:
		r.add("result: probabilities", difference(classes, e.Probabilities), r.probabilities)
	case len(e.QuantileLevels) == 0:
		r.knots(rows, t.SD)
	default:
		r.add("result: knots", difference(knots, e.Knots), tolerance)
		r.add("result: tails", math.Max(difference(left, e.BetaLeft), difference(right, e.BetaRight)),
			tolerance)
		r.add("result: mean", gapIn(mean, e.Mean, t.SD), tolerance)
		r.add("result: quantiles", gapIn(at, slices.Concat(e.Quantiles...), t.SD), tolerance)
		r.add("result: cdf", gapIn(cdf, wantCDF, 1), tolerance)
	}
	if posterior := slices.Concat(e.Surface, e.Posterior); own != nil || posterior != nil {
		r.add("result: posterior", gapIn(own, posterior, 1), tolerance)
	}
}

// knots compares quantiles without levels, which are the knots, relative to the largest output of a
// member where that is more than 1: the package averages members in float32.
func (r *replay) knots(rows []Result, sd float64) {
	want := r.golden.Expect.Quantiles
	worst := 0.0
	for i, row := range rows {
		d := row.PPD.(*distr.Quantiles)
		if len(want) != len(rows) || len(want[i]) != len(d.Knots) {
			worst = math.Inf(1)
			break
		}
		for k, w := range want[i] {
			scale := 1.0
			for _, member := range r.golden.raw(ofLabel) {
				if i < len(member) && k < len(member[i]) { // or the part of the network fails
					scale = math.Max(scale, math.Abs(member[i][k]))
				}
			}
			worst = math.Max(worst, math.Abs(d.Knot(k)-w)/(scale*sd))
		}
	}
	r.add("result: quantiles", worst, r.result)
}
