package explain

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/stat"

	"github.com/pfnamp/pfnamp/amp"
	"github.com/pfnamp/pfnamp/joint"
)

// simulated rows have the effect 2 in the mean; the chance of the second arm and the label rise
// with the same column, and the regressions are wrong where bias is not 0.
func simulatedOutcomes(seed uint64, n, draws int, bias float64) []outcome {
	random := rand.New(rand.NewPCG(seed, 1))
	rows := make([]outcome, n)
	for i := range rows {
		x := random.NormFloat64()
		o := &rows[i]
		o.chance = 1 / (1 + math.Exp(-x))
		if random.Float64() < o.chance {
			o.arm = 1
		}
		o.label = 3*x + random.NormFloat64()
		o.label += 2 * float64(o.arm)
		for arm := range 2 {
			o.points[arm] = (3-bias)*x + 2*float64(arm)
			for range draws {
				o.draws[arm] = append(o.draws[arm], o.points[arm]+0.1*random.NormFloat64())
			}
		}
	}
	return rows
}

// The correction takes the bias of the regressions away; intervals cover about as often as they
// say; raw means are confounded.
func TestOneStepCorrection(t *testing.T) {
	const tables, draws = 200, 200
	covered := 0
	var corrected, raw []float64
	for seed := range uint64(tables) {
		rows := simulatedOutcomes(seed, 300, draws, 1)
		points, posterior := armMeans(rows, true, 1)
		change := make([]float64, draws)
		for b := range change {
			change[b] = posterior[1][b] - posterior[0][b]
		}
		if lo, hi := amp.CredibleInterval(change, 0.9, amp.EqualTailed); lo <= 2 && 2 <= hi {
			covered++
		}
		corrected = append(corrected, points[1]-points[0])
		points, _ = rawMeans(rows, 1)
		raw = append(raw, points[1]-points[0])
	}
	if mean := stat.Mean(corrected, nil); math.Abs(mean-2) > 0.06 {
		t.Errorf("corrected %.3f, want 2", mean)
	}
	if mean := stat.Mean(raw, nil); mean < 3 {
		t.Errorf("raw means differ by %.3f: nothing is confounded", mean)
	}
	if covered < 170 || covered > 194 { // 180 and less than three standard errors
		t.Errorf("%d of %d intervals cover", covered, tables)
	}
}

// With regressions that know the truth the model alone and the correction agree; the arm means
// average the regressions.
func TestModelAlone(t *testing.T) {
	rows := simulatedOutcomes(3, 500, 50, 0)
	points, _ := armMeans(rows, false, 1)
	mean := 0.0
	for _, o := range rows {
		mean += o.points[1] / 500
	}
	if math.Abs(points[1]-mean) > 1e-12 || math.Abs(points[1]-points[0]-2) > 1e-9 {
		t.Errorf("%v, want a difference of 2", points)
	}
}

// An event's label is whether it has come true.
func TestLabelOf(t *testing.T) {
	if joint.Label(amp.Mean{}, 3.5) != 3.5 || joint.Label(amp.Class(2), 2) != 1 ||
		joint.Label(amp.Class(1), 2) != 0 {
		t.Error("labels of the mean and of classes")
	}
}

// Overlap counts rows near 0 and 1, and the rows that weights leave.
func TestOverlap(t *testing.T) {
	o := newOverlap([]float64{0.5, 0.5, 0.01, 0.5, 0.5, 0.5}, []int{0, 1, 0, 1, 1, 1})
	if math.Abs(o.Outside-1./6) > 1e-12 || o.Holds() || o.Effective[1] != 4 || o.Effective[0] >= 2 {
		t.Errorf("%+v", o)
	}
	if even := newOverlap([]float64{0.4, 0.6}, []int{0, 1}); !even.Holds() || !even.none() {
		t.Errorf("two rows: %+v", even)
	}
}
