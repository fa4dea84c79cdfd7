package pfn

import (
	"context"
	"errors"
	"fmt"
	"math"

	"github.com/pfnamp/pfnamp/models"
	"github.com/pfnamp/pfnamp/pfn/internal/golden"
)

// Tolerances of Verify. Pipelines are float64 on both sides, and differ by the order of summation
// and the search for lambda. Networks are float32: onnxruntime and torch differ by up to 1e-5 on
// one machine, and processors differ among themselves. A mistake in a graph, such as a constant log
// N, shows at 1e-3.
const (
	pipelineTolerance = 1e-6 // relative to max(1, |expected|)
	networkTolerance  = 5e-5 // standardised units, relative likewise
	resultTolerance   = 5e-5 // in standard deviations of the target
)

// int8Tolerance is the tolerance of a network's output, and of results, with 8-bit products, for
// bundles without a golden tolerance. The embedded networks differ by up to 0.19, one of the
// official size with random weights by 0.01; products that overflow show at 1.
const int8Tolerance = 0.25

// Report holds the differences of a model from its golden vectors.
type Report = golden.Report

// CaseReport holds the stages of one golden case in the order of the computation.
type CaseReport = golden.CaseReport

// StageReport holds the difference of one stage from the exporter's implementation.
type StageReport = golden.StageReport

// Verify replays the golden vectors of a sealed bundle (models.Bundle.Sealed): composition of the
// members, feature and target pipelines, raw output of the network, averaged distributions and
// numbers read from them. An error means that the replay could not run; the report holds the
// differences.
func Verify(ctx context.Context, b *models.Bundle, opt Options) (Report, error) {
	if !b.Sealed() {
		return Report{}, &BundleError{Bundle: b.Source, Msg: "SHA256SUMS is missing, so a change of " +
			"manifest.json, which changes answers, would go unnoticed; export the bundle again or, " +
			"if you trust it, run `sha256sum manifest.json LICENSE > SHA256SUMS` in its folder"}
	}
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
	report := Report{Precision: m.precision.String()}
	if report.Precision == Int8 {
		report.Tolerance, report.Recorded = b.Manifest.GoldenTolerances[Int8]
		if !report.Recorded {
			report.Tolerance = int8Tolerance
		}
	}
	for _, g := range cases {
		c, err := g.replay(ctx, m)
		if err != nil {
			return Report{}, fmt.Errorf("golden case %q: %w", g.Title(), err)
		}
		c.Loosen(report.Tolerance, "network", "result")
		report.Cases = append(report.Cases, c)
	}
	return report, nil
}

// errNoNetwork is the error for a golden case that needs no network.
var errNoNetwork = errors.New("the network is not needed for this table")

// rawDifference compares the network's output for a head with [B][M] lists of values. Of each row
// it compares as many values as the list has.
func (c *Context) rawDifference(
	ctx context.Context, x Matrix, of role, want [][][]float64,
) (float64, error) {
	return c.rawDifferenceOn(ctx, x, of, want, func(v float64) float64 { return v })
}

// rawDifferenceOn is rawDifference on another scale of the values.
func (c *Context) rawDifferenceOn(
	ctx context.Context, x Matrix, of role, want [][][]float64, scale func(float64) float64,
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
				values := want[member][b.first+i]
				got := scaled(widen(raw[:len(values)]), scale)
				worst = math.Max(worst, difference(got, scaled(values, scale)))
			}
		}
	}
	return worst, nil
}

// scaled returns values on another scale.
func scaled(values []float64, scale func(float64) float64) []float64 {
	on := make([]float64, len(values))
	for i, v := range values {
		on[i] = scale(v)
	}
	return on
}

// difference returns the largest |got - want| / max(1, |want|), +Inf if lengths differ.
func difference(got, want []float64) float64 { return golden.Difference(got, want) }

// narrow rounds to float32.
func narrow(values []float64) []float32 {
	rounded := make([]float32, len(values))
	for i, v := range values {
		rounded[i] = float32(v)
	}
	return rounded
}
