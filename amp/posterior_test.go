package amp

import (
	"context"
	"errors"
	"math"
	"runtime"
	"slices"
	"testing"
	"time"

	"github.com/pfnamp/pfnamp/internal/must"
)

// TestWorkers: bytes do not depend on the number of workers, nor those of a chain on the number
// of chains.
func TestWorkers(t *testing.T) {
	s := Sampler{Schedule: PaperSchedule{Rows: 30, Features: 4}, Chains: 203, Seed: 42, Workers: 1}
	one := draw(t, s)
	s.Workers = 8
	eight := draw(t, s)
	s.Chains = 100
	fewer := draw(t, s)
	if !slices.Equal(one.ranks, eight.ranks) || !slices.Equal(one.drawn, eight.drawn) {
		t.Error("1 and 8 workers differ")
	}
	if !slices.Equal(one.ranks[:100*one.Steps()], fewer.ranks) {
		t.Error("a chain depends on the number of chains")
	}
	s.Seed = 43
	if slices.Equal(draw(t, s).ranks, fewer.ranks) {
		t.Error("the seed changes nothing")
	}
	rows := make([]Prediction, 37)
	for i := range rows {
		rows[i].PPD = normalPPD{float64(i), 1 + float64(i)/10}
	}
	for _, spec := range everySpec() {
		a, b := make([]Estimate, len(rows)), make([]Estimate, len(rows))
		for i, p := range []*RankPosterior{one, eight} {
			dst := [][]Estimate{a, b}[i]
			made := summarizer(t, p, spec)
			must.Succeed(t, Estimates(t.Context(), made, dst, rows, 1+7*i))
		}
		if !slices.EqualFunc(a, b, sameBits) {
			t.Errorf("%+v: estimates of 1 and 8 workers differ", spec)
		}
	}
}

func sameBits(a, b Estimate) bool {
	same := func(x, y float64) bool { return math.Float64bits(x) == math.Float64bits(y) }
	return same(a.Point, b.Point) && same(a.Lo, b.Lo) && same(a.Hi, b.Hi) &&
		same(a.LoSE, b.LoSE) && same(a.HiSE, b.HiSE)
}

// everySpec lists all combinations of functionals and kinds.
func everySpec() []Spec {
	var all []Spec
	for _, f := range []Functional{
		Mean{}, Quantile{0.5}, Quantile{0.93}, AtMost(0.3), Above(0.3), Probability{-0.5, 0.6},
	} {
		for _, posterior := range []Posterior{PaperPosterior, LimitPosterior} {
			for _, interval := range []IntervalKind{EqualTailed, HighestDensity} {
				for _, e := range []bool{false, true} {
					all = append(all, Spec{f, 0, interval, posterior, e})
				}
			}
		}
	}
	return all
}

// TestStreams: neighbouring keys give unrelated first numbers.
func TestStreams(t *testing.T) {
	var first []float64
	for seed := range uint64(40) {
		for chain := range 50 {
			first = append(first, uniform(stream(seed, chain)))
		}
	}
	lag := 0.0
	for i := range first[1:] {
		lag += (first[i] - 0.5) * (first[i+1] - 0.5) * 12 / math.Sqrt(float64(len(first)))
	}
	if math.Abs(lag) > 3.3 {
		t.Errorf("neighbouring streams are correlated, z = %.1f", lag)
	}
	if pv := ksOne(first, uniformPPD{}.CDF); pv < 0.01 {
		t.Errorf("first numbers are not uniform, p = %.2g", pv)
	}
	if len(slices.Compact(first)) != 2000 {
		t.Error("two streams are equal")
	}
}

// Draws are inside of the open unit interval, those of the first and the last cell too.
func TestUniformIsOpen(t *testing.T) {
	if lo, hi := midpoint(0), midpoint(math.MaxUint64); !(lo > 0 && hi < 1) {
		t.Errorf("from %v to %v", lo, hi)
	}
}

func TestCancel(t *testing.T) {
	before := runtime.NumGoroutine()
	s := Sampler{Schedule: PaperSchedule{Rows: 30, Features: 4}, Chains: 1 << 17, Workers: 4}
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Millisecond)
	defer cancel()
	if _, err := s.Draw(ctx); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("error %v, want the deadline", err)
	}
	s.Chains = 100
	p := draw(t, s)
	done, stop := context.WithCancel(t.Context())
	stop()
	for _, f := range []Functional{Mean{}, Quantile{0.5}, AtMost(1)} {
		spec := Spec{Functional: f, Posterior: LimitPosterior}
		if _, err := p.Summarizer(done, spec); !errors.Is(err, context.Canceled) {
			t.Errorf("%v: error %v, want cancelled", f, err)
		}
		// A cancelled preparation leaves nothing half done.
		summarizer(t, p, spec).Row(normalPPD{0, 1})
	}
	made, rows := summarizer(t, p, Spec{}), make([]Prediction, 2)
	err := Estimates(done, made, make([]Estimate, 2), rows, 0)
	if !errors.Is(err, context.Canceled) {
		t.Errorf("rows: error %v, want cancelled", err)
	}
	// A goroutine that has reported its end still counts for a moment.
	for end := time.Now().Add(10 * time.Second); runtime.NumGoroutine() > before &&
		time.Now().Before(end); {
		time.Sleep(time.Millisecond)
	}
	if n := runtime.NumGoroutine(); n > before {
		t.Errorf("%d goroutines left over", n-before)
	}
}

func TestSamplerErrors(t *testing.T) {
	ok := PaperSchedule{Rows: 10, Features: 2}
	for _, c := range []struct {
		s    Sampler
		want string
	}{
		{Sampler{}, "Schedule"},
		{Sampler{Schedule: ok, Steps: -1}, "steps"},
		{Sampler{Schedule: ok, Steps: 1 << 16}, "steps"},
		{Sampler{Schedule: ok, Chains: 1}, "chains"},
		{Sampler{Schedule: ok, Chains: 1 << 30}, "chains"},
		{Sampler{Schedule: ok, Chains: 1 << 24, Steps: 100}, "exceed"},
		{Sampler{Schedule: ok, Rho: 1.01}, "rho"},
		{Sampler{Schedule: ok, Rho: -0.5}, "rho"},
		{Sampler{Schedule: ok, Rho: math.NaN()}, "rho"},
		{Sampler{Schedule: ok, Workers: -1}, "workers"},
		{Sampler{Schedule: PaperSchedule{}}, "context row"},
	} {
		_, err := c.s.Draw(t.Context())
		must.Fail(t, c.s, err, c.want)
	}
}
