package pfn

import (
	"context"
	"errors"
	"fmt"

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
