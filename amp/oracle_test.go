//go:build !race

package amp

import (
	"math"
	"math/rand/v2"
	"slices"
	"sort"
	"testing"

	"gonum.org/v1/gonum/stat"
)

// literal is Algorithm 1 of Nagler and Rügamer (2025) as printed, for one query row with a
// standard normal PPD on a grid of labels: P_0..P_N are vectors, y_k is drawn by inverting
// P_{k-1} on the grid, and P_{k-1}(y_k) is the uniform it was drawn with. It shares no code with
// the package but Φ^-1 and the schedule.
type literal struct {
	y, p []float64
}

func newLiteral() *literal {
	l := new(literal)
	for y := -6.0; y <= 6; y += 0.03 {
		l.y = append(l.y, y)
	}
	l.p = make([]float64, len(l.y))
	return l
}

// run returns the forward samples of one chain in ascending order.
func (l *literal) run(rates []float64, rho float64, r *rand.Rand) []float64 {
	for i, y := range l.y {
		l.p[i] = 0.5 * math.Erfc(-y/math.Sqrt2)
	}
	sample := make([]float64, len(rates))
	for k, alpha := range rates {
		v := r.Float64()
		sample[k] = l.invert(v)
		zv := normalQuantile(v)
		for i, p := range l.p {
			t := (normalQuantile(p) - rho*zv) / math.Sqrt(1-rho*rho)
			l.p[i] = (1-alpha)*p + alpha*0.5*math.Erfc(-t/math.Sqrt2)
		}
	}
	slices.Sort(sample)
	return sample
}

// invert interpolates the grid.
func (l *literal) invert(v float64) float64 {
	i := sort.SearchFloat64s(l.p, v)
	if i == 0 || i == len(l.p) {
		return l.y[min(i, len(l.p)-1)]
	}
	return l.y[i-1] + (l.y[i]-l.y[i-1])*(v-l.p[i-1])/(l.p[i]-l.p[i-1])
}

// TestLiteralAlgorithm: the posterior draws of a query row have the distribution of the published
// algorithm, and the test detects a chain without the truncation factor.
func TestLiteralAlgorithm(t *testing.T) {
	const chains = 400
	schedule := PaperSchedule{Rows: 200, Features: 10}
	rates, err := schedule.Rates(DefaultSteps)
	if err != nil {
		t.Fatal(err)
	}
	functionals := []Functional{Quantile{0.5}, Quantile{0.9}, Mean{}, AtMost(0.5)}
	want := make([][]float64, len(functionals))
	l, r := newLiteral(), rand.New(rand.NewPCG(1, 2))
	for range chains {
		y := l.run(rates, DefaultRho, r)
		below, mean := sort.SearchFloat64s(y, 0.5), stat.Mean(y, nil)
		for i, theta := range []float64{y[24], y[44], mean, float64(below) / 50} {
			want[i] = append(want[i], theta)
		}
	}
	for i, f := range functionals {
		p := draw(t, Sampler{Schedule: schedule, Chains: 4 * chains, Seed: 11})
		got := summarizer(t, p, Spec{Functional: f}).Draws(nil, normalPPD{0, 1})
		pv := ksTwo(got, want[i])
		t.Logf("%v: p = %.2g", f, pv)
		if pv < 0.01 {
			t.Errorf("%v: draws differ from the literal algorithm's, p = %.2g", f, pv)
		}
	}
	for k := range rates {
		rates[k] *= truncation(200, DefaultSteps, PaperBeta(10))
	}
	p := draw(t, Sampler{Schedule: FixedSchedule(rates), Chains: 4 * chains, Seed: 11})
	got := summarizer(t, p, Spec{Functional: Quantile{0.5}}).Draws(nil, normalPPD{0, 1})
	if pv := ksTwo(got, want[0]); pv > 1e-3 {
		t.Errorf("a schedule without C passes, p = %.2g: the test has no power", pv)
	}
}
