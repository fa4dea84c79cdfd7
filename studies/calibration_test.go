package main

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distuv"

	"github.com/pfnamp/pfnamp/amp"
	"github.com/pfnamp/pfnamp/evaluate"
)

// Functions are finite and of standard deviation one, and labels at the query rows have the
// distribution that the truth says.
func TestFamilies(t *testing.T) {
	for _, k := range families() {
		for _, d := range []int{2, 5, 20} {
			random := rand.New(rand.NewPCG(1, uint64(d)))
			w := k.world(random, d, 3, 4000, 0.5)
			if sd := stat.StdDev(w.f, nil); k.name != "nothing" && math.Abs(sd-1) > 0.01 {
				t.Errorf("%s, d = %d: standard deviation %v", k.name, d, sd)
			}
			below, mean, above := 0.0, 0.0, 0.0
			for i := range w.f {
				y := w.f[i] + w.s[i]*k.law.Quantile(random.Float64())
				if y <= w.quantile(i, 0.9) {
					below++
				}
				mean += y - w.mean(i)
				above -= w.exceeds(i, 0.3)
				if y > 0.3 {
					above++
				}
			}
			n := float64(len(w.f))
			if math.Abs(below/n-0.9) > 0.03 || math.Abs(mean/n) > 0.05 || math.Abs(above/n) > 0.03 {
				t.Errorf("%s, d = %d: %v below q0.9, means %v off, events %v off",
					k.name, d, below/n, mean/n, above/n)
			}
		}
	}
}

// standing is a method whose posterior of everything is normal with a given spread.
type standing struct{ sigma float64 }

func (standing) Name() string { return "standing" }

func (s standing) Intervals(
	_ context.Context, t *evaluate.Task, functionals []amp.Functional,
) ([][]evaluate.Interval, error) {
	half := s.sigma * distuv.UnitNormal.Quantile((1+t.Level)/2)
	all := make([][]evaluate.Interval, len(functionals))
	for k := range all {
		for range 4000 {
			all[k] = append(all[k], evaluate.Interval{Lo: -half, Hi: half})
		}
	}
	return all, nil
}

// Coverage, width and interval score of normal truths are those of the formulas, for a calibrated
// posterior and for one that is too wide.
func TestScoreOfKnownPosteriors(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 1))
	list := []asked{{name: "mean", f: amp.Mean{}, truth: normals(random, 4000), unit: 2}}
	for _, sigma := range []float64{1, 2} {
		var tally evaluate.Tally
		task, methods := &evaluate.Task{Level: 0.9}, []evaluate.Method{standing{sigma}}
		if _, err := score(t.Context(), &tally, methods, task, list); err != nil {
			t.Fatal(err)
		}
		found := map[string]float64{}
		for _, m := range tally.Measures() {
			found[m.Metric] = float64(m.Value)
		}
		half := sigma * distuv.UnitNormal.Quantile(0.95)
		outside := 2 * (distuv.UnitNormal.Prob(half) - half*distuv.UnitNormal.Survival(half))
		for metric, want := range map[string]float64{
			"coverage": 1 - 2*distuv.UnitNormal.Survival(half),
			"width":    half, // the unit is 2
			"score":    half + 2/(1-0.9)*outside/2,
		} {
			if math.Abs(found[metric]-want) > 0.06 {
				t.Errorf("spread %v: %s %v, want %v", sigma, metric, found[metric], want)
			}
		}
	}
}

// plain predicts the training labels' normal distribution everywhere.
type plain struct{}

func (plain) Predict(
	_ context.Context, train evaluate.Data, query evaluate.Matrix,
) (evaluate.Prediction, error) {
	mu, sigma := stat.MeanStdDev(train.Y, nil)
	var p evaluate.Prediction
	for range query.Rows {
		p.PPDs = append(p.PPDs, evaluate.Normal{Mu: mu, Sigma: sigma})
	}
	return p, nil
}

// The chains answer for every functional, and a prediction of nothing but noise, given for pure
// noise, is covered.
func TestCalibrationStudy(t *testing.T) {
	set := small()
	set.Model = plain{}
	cells := cellsOf(t, "calibration", set, "nothing-d5-n200-much", "wave-d2-n50-little")
	outcomes, err := evaluate.Run(t.Context(), cells, nil, 2, nil)
	if err != nil {
		t.Fatal(err)
	}
	results := evaluate.Results(cells, outcomes)
	for _, f := range []string{"mean", "q0.1", "q0.5", "q0.9", eventName} {
		for _, m := range []string{evaluate.MethodPaper, evaluate.MethodLimit} {
			if c, ok := evaluate.Find(results, m, f, "coverage"); !ok || c.Value < 0.7 {
				t.Errorf("%s of %s: coverage %v of nothing", m, f, c.Value)
			}
		}
	}
	if c, ok := evaluate.Find(results, evaluate.MethodPPD, "", "coverage"); !ok || c.Value < 0.75 {
		t.Errorf("predictive coverage %v", c.Value)
	}
	if _, ok := evaluate.Find(results, evaluate.MethodDirect, "mean", "coverage"); ok {
		t.Error("a model without a posterior of its own has one")
	}
}

// The interval score by hand: intervals of length 2, a truth inside, one 1 above and one 0.5 below,
// at the level 0.9, where what is outside counts twenty times.
func TestIntervalScoreByHand(t *testing.T) {
	in := evaluate.Interval{Lo: 0, Hi: 2}
	for truth, want := range map[float64]float64{1: 2, 0: 2, 3: 22, -0.5: 12} {
		got := intervalScore([]evaluate.Interval{in}, []float64{truth}, 0.9)
		if math.Abs(got-want) > 1e-12 {
			t.Errorf("%v scores %v, want %v", truth, got, want)
		}
	}
	all := []evaluate.Interval{in, in, {Lo: 3, Hi: 7}}
	if got := intervalScore(all, []float64{3, -0.5, 5}, 0.5); math.Abs(got-(6+4+4)/3.) > 1e-12 {
		t.Errorf("the mean is %v", got)
	}
}
