package evaluate_test

import (
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/pfnamp/pfnamp/amp"
	"github.com/pfnamp/pfnamp/evaluate"
	"github.com/pfnamp/pfnamp/internal/must"
)

func TestIntervalScores(t *testing.T) {
	intervals := []evaluate.Interval{{Lo: 0, Hi: 1}, {Lo: 2, Hi: 4}, {Lo: 5, Hi: 5}}
	if c := evaluate.Coverage(intervals, []float64{1, 1.9, 5}); math.Abs(c-2./3) > 1e-15 {
		t.Errorf("coverage %v", c)
	}
	if w := evaluate.Width(intervals); w != 1 {
		t.Errorf("width %v", w)
	}
}

// Exact distributions are calibrated, the integral of the pinball scores is the CRPS, and a
// narrower distribution scores worse everywhere.
func TestScorePPDs(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	var exact, narrow []amp.Prediction
	var y []float64
	for range 20000 {
		n := evaluate.Normal{Mu: random.NormFloat64(), Sigma: 1 + random.Float64()}
		exact = append(exact, amp.Prediction{PPD: n})
		narrow = append(narrow, amp.Prediction{PPD: evaluate.Normal{Mu: n.Mu, Sigma: n.Sigma / 2}})
		y = append(y, n.Mu+n.Sigma*random.NormFloat64())
	}
	good, bad := evaluate.ScorePPDs(exact, y, 0.9), evaluate.ScorePPDs(narrow, y, 0.9)
	if math.Abs(good.Coverage-0.9) > 0.008 || bad.Coverage > 0.65 {
		t.Errorf("coverage %v, of the narrow ones %v", good.Coverage, bad.Coverage)
	}
	if good.CRPS >= bad.CRPS || good.LogScore >= bad.LogScore {
		t.Errorf("the exact ones score %v and %v, the narrow ones %v and %v",
			good.CRPS, good.LogScore, bad.CRPS, bad.LogScore)
	}
	pinball := 0.0
	for k, p := range evaluate.Levels() {
		pinball += good.Pinball[k] / 20
		if math.Abs(good.Calibrated[k]-p) > 0.012 {
			t.Errorf("%v of the labels below the quantile of level %v", good.Calibrated[k], p)
		}
	}
	if math.Abs(pinball/good.CRPS-1) > 0.03 { // trapezoids without the outermost ones
		t.Errorf("pinball scores integrate to %v, CRPS %v", pinball, good.CRPS)
	}
	slices.Sort(good.PIT)
	for i, u := range good.PIT {
		if math.Abs(u-float64(i)/20000) > 0.015 {
			t.Fatalf("PIT %v at rank %d of 20000", u, i)
		}
	}
}

// atom is a point mass at 1.
type atom struct{ evaluate.Normal }

func (atom) CDF(y float64) float64 {
	if y < 1 {
		return 0
	}
	return 1
}

func TestPITOfAnAtom(t *testing.T) {
	if u := evaluate.PIT(atom{}, 1); u != 0.5 {
		t.Errorf("PIT %v, want the middle of the jump", u)
	}
}

func TestSplit(t *testing.T) {
	train, test, err := evaluate.Split(1, "a", 101, 0.2)
	must.Succeed(t, err)
	if len(train) != 20 || len(test) != 81 {
		t.Errorf("%d and %d rows", len(train), len(test))
	}
	all := slices.Sorted(slices.Values(append(slices.Clone(train), test...)))
	for i, row := range all {
		if i != row {
			t.Fatalf("row %d is missing or repeated", i)
		}
	}
	again, _, _ := evaluate.Split(1, "a", 101, 0.2)
	other, _, _ := evaluate.Split(2, "a", 101, 0.2)
	if !slices.Equal(train, again) || slices.Equal(train, other) {
		t.Error("the seed does not decide the split")
	}
	var split *evaluate.SplitError
	if _, _, err := evaluate.Split(1, "a", 5, 0.2); !errors.As(err, &split) || split.Train != 1 {
		t.Errorf("5 rows: %v", err)
	}
}
