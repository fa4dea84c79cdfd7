package check

import (
	"flag"
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/pfnamp/pfnamp"
	"github.com/pfnamp/pfnamp/internal/must"
	"github.com/pfnamp/pfnamp/pfn"
)

var simulations = flag.Int("batches", 100, "simulated windows of a test of false alarms and power")

// normals are rows of ten columns, the first one shifted.
func normals(random *rand.Rand, rows int, shift float64) pfn.Matrix {
	x := pfn.Matrix{Rows: rows, Cols: 10, Data: make([]float64, 10*rows)}
	for i := range x.Data {
		x.Data[i] = random.NormFloat64()
	}
	for i := range rows {
		x.Data[10*i] += shift
	}
	return x
}

// The bet of a window reaches c in at most one of c windows where rows are like the context, and
// most often where one of ten columns is shifted by half a standard deviation.
func TestWindowMartingale(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 5))
	bets := func(shift float64) (all []float64) {
		for s := range *simulations {
			c := comparison{seed: uint64(s), last: normals(random, 1000, shift)}
			context := pfn.Training{X: normals(random, 1000, 0), Categorical: make([]bool, 10)}
			all = append(all, float64(c.bet(context, normals(random, 1000, shift))))
		}
		return all
	}
	reached := func(bets []float64, bound float64) (share float64) {
		for _, bet := range bets {
			if bet >= bound {
				share += 1 / float64(*simulations)
			}
		}
		return share
	}
	// at most the promise, and three of its standard errors
	most := func(p float64) float64 { return p + 3*math.Sqrt(p*(1-p)/float64(*simulations)) }
	like := bets(0)
	for _, bound := range []float64{20, 100} {
		share := reached(like, bound)
		t.Logf("like rows: the bet reaches %v in %.3f of the windows", bound, share)
		if share > most(1/bound) {
			t.Errorf("like rows reach %v in %.3f of the windows", bound, share)
		}
	}
	share := reached(bets(0.5), 100)
	t.Logf("shifted rows: the bet reaches 100 in %.3f of the windows", share)
	if share < 0.8 {
		t.Errorf("shifted rows reach 100 in %.3f of the windows only", share)
	}
}

// The first window has no bet, and neither has a context of few rows.
func TestNoBet(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 5))
	x, context := normals(random, 50, 0), pfn.Training{X: normals(random, 50, 0)}
	near(t, "the first bet", float64((&comparison{}).bet(context, x)), math.NaN())
	context.X = normals(random, 38, 0) // halves of 19 rows
	near(t, "the bet of few rows", float64((&comparison{last: x}).bet(context, x)), math.NaN())
}

// watching watches answers for houses.
func watching(t *testing.T, f *pfnamp.Fitted, rows int) (*Watch, func([]map[string]any)) {
	t.Helper()
	p, err := f.Prepare(t.Context(), pfnamp.Question{Chains: 20,
		Posteriors: []pfnamp.Posterior{pfnamp.Paper}}) // a companion would take longer than a window
	must.Succeed(t, err)
	w := NewWatch(p, rows, 1, func(err error) { t.Error(err) })
	t.Cleanup(w.Close)
	return w, func(rows []map[string]any) {
		a, err := p.Predict(t.Context(), tableOf(t, "request", rows).Batches[0])
		must.Succeed(t, err)
		w.Add(a)
	}
}

// A window has the figures of a batch of its rows, and the width of intervals beside that at the
// fit.
func TestWatch(t *testing.T) {
	f := fit(t, "tiny", "price", houses(1, 100, 0))
	w, add := watching(t, f, 40)
	rows := houses(2, 40, 0)
	rows[3]["town"], rows[7]["area"] = "Atlantis", 900.
	for first := 0; first < 40; first += 8 {
		if w.Latest() != nil {
			t.Fatal("a window that is not full was compared")
		}
		add(rows[first : first+8])
	}
	for range 3000 {
		if found := w.Latest(); found != nil && found.DoubtAtFit == found.DoubtAtFit {
			break
		}
		time.Sleep(10 * time.Millisecond)
	}
	found := w.Latest()
	if found == nil {
		t.Fatal("no window was compared")
	}
	want := featuresOf(t, f.Schema(), f.ContextRows(), rows)
	for _, figure := range Figures() {
		near(t, figure, found.Figure(figure), want.Figure(figure))
	}
	if near(t, "new", found.Figure("new"), 1./40); !(found.DoubtAtFit > 0) ||
		!(found.Doubt > found.DoubtAtFit/3 && found.Doubt < 3*found.DoubtAtFit) {
		t.Errorf("width %v, at the fit %v", found.Doubt, found.DoubtAtFit)
	}
}

// However many rows come, a watch holds three windows at most, and it counts those that it skips.
func TestWatchIsBounded(t *testing.T) {
	w, add := watching(t, fit(t, "tiny", "price", houses(1, 60, 0)), 20)
	rows := houses(2, 100, 0)
	for range 20 {
		add(rows) // five windows in one answer are one
		w.mu.Lock()
		if n := w.filling.Rows; n >= 20 {
			t.Errorf("%d rows of a window that is full are kept", n)
		}
		w.mu.Unlock()
		if n := len(w.full); n > 1 {
			t.Errorf("%d windows wait", n)
		}
	}
	if _, skipped := w.Windows(); skipped == 0 {
		t.Error("no window was skipped")
	}
}
