package pfn

import (
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/pfnamp/pfnamp/internal/must"
	"github.com/pfnamp/pfnamp/internal/orttest"
	"github.com/pfnamp/pfnamp/internal/wire"
)

// openIn opens the embedded model in a precision, whose query graph is rounded from a size in bytes
// on.
func openIn(t *testing.T, precision string, threads int, least int64) *Model {
	t.Helper()
	m := open(t, Options{Precision: precision, Threads: threads, Device: "cpu", Late: true})
	m.precision.least = least
	return m
}

func means(t *testing.T, c *Context, rows Matrix) []float64 {
	t.Helper()
	list := make([]float64, rows.Rows)
	for i, d := range predict(t, c, rows) {
		list[i] = d.Mean()
	}
	return list
}

// 8-bit products of the context graph, and of a large query graph, give nearly the answers of
// float32. The answers do not depend on the number of threads or on other rows, and a saved state
// gives the same ones.
func TestInt8(t *testing.T) {
	for name, least := range map[string]int64{"context": leastRounded, "both": 0} {
		t.Run(name, func(t *testing.T) { testInt8(t, least) })
	}
}

func testInt8(t *testing.T, least int64) {
	if reason := noInt8("cpu"); reason != "" {
		t.Skip(reason)
	}
	train := synthetic(1, 120, 4)
	exact := means(t, fit(t, openIn(t, Float32, 2, least), train), train.X)
	eight := openIn(t, Int8, 2, least)
	if p := eight.Runtime().Precision; p != Int8 {
		t.Errorf("the precision is %s", p)
	}
	c := fit(t, eight, train)
	got := means(t, c, train.X)
	worst := 0.0
	for i := range got {
		worst = math.Max(worst, math.Abs(got[i]-exact[i])/c.target.SD)
	}
	if !(worst > 1e-6 && worst < 0.05) {
		t.Errorf("the means differ by up to %g standard deviations", worst)
	}
	if _, rounded := eight.graphs.sessions["query int8"]; rounded != (least == 0) ||
		len(eight.graphs.sessions) != 1 {
		t.Errorf("the query graph is rounded: %v", rounded)
	}
	one := means(t, fit(t, openIn(t, Int8, 1, least), train), train.X)
	if !slices.Equal(one, got) {
		t.Error("the means depend on the number of threads")
	}
	for _, span := range [][2]int{{3, 7}, {5, 6}, {9, 120}} {
		few := means(t, c, train.X.Span(span[0], span[1]))
		if !slices.Equal(few, got[span[0]:span[1]]) {
			t.Errorf("the means of rows %v depend on the other rows", span)
		}
	}
	again := restored(t, openIn(t, Float32, 2, least), saved(t, c, ""))
	if again.Precision() != Int8 || !slices.Equal(means(t, again, train.X), got) {
		t.Error("the state gives other means")
	}
}

// Verify holds 8-bit products to a tolerance of their own, and sees mistakes beyond it.
func TestVerifyInt8(t *testing.T) {
	if reason := noInt8("cpu"); reason != "" {
		t.Skip(reason)
	}
	report, err := Verify(t.Context(), bundle(t), Options{Library: orttest.Library(t),
		Precision: Int8})
	if err != nil || !report.OK() {
		t.Errorf("%v, %v", report, err)
	}
	loose := 0
	for _, c := range report.Cases {
		for _, s := range c.Parts {
			if s.Tolerance == int8Tolerance {
				loose++
			}
			if s.Name == "network" && s.MaxDiff < 5e-5 {
				t.Errorf("%s: the network differs by %g as in float32", c.Name, s.MaxDiff)
			}
		}
	}
	if loose == 0 || report.Recorded || report.Tolerance != int8Tolerance {
		t.Errorf("%d parts have the tolerance of 8-bit products: %v, %g", loose, report.Recorded,
			report.Tolerance)
	}
}

// The manifest's tolerance of 8-bit products replaces the default: tabpfn3-tiny differs by 0.018.
func TestRecordedTolerance(t *testing.T) {
	if reason := noInt8("cpu"); reason != "" {
		t.Skip(reason)
	}
	for tolerance, want := range map[float64]bool{0.036: true, 0.005: false} {
		b := loaded(t, "../testdata/tabpfn3-tiny")
		b.Manifest.GoldenTolerances = map[string]float64{Int8: tolerance}
		report, err := Verify(t.Context(), b, Options{Library: orttest.Library(t), Precision: Int8})
		if err != nil || report.OK() != want || !report.Recorded || report.Tolerance != tolerance {
			t.Errorf("%g: %v, %v", tolerance, report, err)
		}
		report, err = Verify(t.Context(), b, Options{Library: orttest.Library(t)})
		if err != nil || !report.OK() || report.Tolerance != 0 || report.Precision != Float32 {
			t.Errorf("float32: %v, %v", report, err)
		}
	}
}

func TestPrecisionErrors(t *testing.T) {
	_, err := Open(bundle(t), Options{Library: orttest.Library(t), Precision: "int4"})
	if _, ok := errors.AsType[*PrecisionError](err); !ok {
		t.Errorf("got %v", err)
	}
	for _, c := range []struct{ asked, device, want string }{
		{"", "cuda:0", Float32}, {AutoPrecision, "cuda:0", Float32}, {Float32, "cpu", Float32}} {
		m := &Model{}
		if err := m.choosePrecision(c.asked, c.device); err != nil || m.precision.String() != c.want {
			t.Errorf("%v: %s, %v", c, m.precision.String(), err)
		}
	}
	m := &Model{}
	if err := m.choosePrecision(Int8, "cuda:0"); err == nil {
		t.Error("8-bit products are admitted on a graphics card")
	}
}

// A network without a large product is refused in 8 bits, and "auto" reads it in float32.
func TestTinyPrecision(t *testing.T) {
	if reason := noInt8("cpu"); reason != "" {
		t.Skip(reason)
	}
	b := loaded(t, tinyBundle)
	opt := Options{Library: orttest.Library(t), Precision: Int8}
	_, err := Open(b, opt)
	must.Fail(t, "tiny", err, "32 rows and columns")
	if p := openLoaded(t, b, Options{Precision: AutoPrecision}).Runtime().Precision; p != Float32 {
		t.Errorf("the precision is %s", p)
	}
}

// A graph without a product to round is read in float32 by "auto", however large it is, and the
// context says so. The test needs no instructions for 8-bit products, because there are none.
func TestAutoPrecisionOfLargeGraph(t *testing.T) {
	long := func(graph []byte) []byte {
		return wire.Message(graph).Text(6, strings.Repeat("x", 2<<20)) // its doc_string
	}
	m := openFolder(t, withGraph(t, tinyBundle, "context", long), Options{Restore: true})
	m.precision.rounds, m.precision.lenient = true, true // as of "auto" with such instructions
	context := fit(t, m, synthetic(1, 40, 3))
	if got := context.Precision(); got != Float32 {
		t.Errorf("the context has precision %s", got)
	}
	if got := m.Runtime().Precision; got != Float32 {
		t.Errorf("the model has precision %s", got)
	}
}
