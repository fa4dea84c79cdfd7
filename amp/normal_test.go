package amp

import (
	"math"
	"testing"
)

// Tolerances: the truncated Taylor term is φ⁗δ⁶/720 < 2e-15; the rest is rounding.
func TestNormalTable(t *testing.T) {
	table := standardNormal()
	var cdfErr, relErr, pdfErr float64
	for x := -15.0; x < 15; x += 0.000737 {
		cdf, pdf := table.at(x)
		want := 0.5 * math.Erfc(-x/math.Sqrt2)
		wantPDF := math.Exp(-x*x/2) / math.Sqrt(2*math.Pi)
		cdfErr = math.Max(cdfErr, math.Abs(cdf-want))
		if x > -9 {
			relErr = math.Max(relErr, math.Abs(cdf/want-1))
		}
		pdfErr = math.Max(pdfErr, math.Abs(pdf-wantPDF))
	}
	t.Logf("errors: cdf %.1e, relative %.1e, pdf %.1e", cdfErr, relErr, pdfErr)
	if cdfErr > 2e-15 || relErr > 1e-9 || pdfErr > 1e-12 {
		t.Errorf("errors: cdf %.1e, relative %.1e, pdf %.1e", cdfErr, relErr, pdfErr)
	}
}

func TestNormalTableBeyondItsRange(t *testing.T) {
	table := standardNormal()
	for _, c := range []struct{ x, want float64 }{
		{math.Inf(-1), 0}, {-1e300, 0}, {-16, 0}, {16, 1}, {1e300, 1}, {math.Inf(1), 1},
	} {
		if cdf, pdf := table.at(c.x); cdf != c.want || pdf != 0 {
			t.Errorf("at(%v) = %v, %v, want %v, 0", c.x, cdf, pdf, c.want)
		}
	}
}

func TestNormalQuantile(t *testing.T) {
	for p := 1e-300; p < 1; p = math.Min(p*1.7, p+0.001) {
		x := normalQuantile(p)
		if got := 0.5 * math.Erfc(-x/math.Sqrt2); math.Abs(got/p-1) > 1e-12 {
			t.Fatalf("Φ(Φ^-1(%v)) = %v", p, got)
		}
	}
	if !math.IsInf(normalQuantile(0), -1) || !math.IsInf(normalQuantile(1), 1) {
		t.Error("Φ^-1 is not infinite at 0 and 1")
	}
}
