package evaluate_test

import (
	"errors"
	"math"
	"testing"

	"github.com/pfnamp/pfnamp/amp"
	"github.com/pfnamp/pfnamp/evaluate"
	"github.com/pfnamp/pfnamp/internal/must"
)

// own is a posterior of the median.
type own struct{ evaluate.Normal }

func (o own) Of(f amp.Functional) amp.Marginal {
	if f != (amp.Quantile{Level: 0.5}) {
		return nil
	}
	return o
}

// foreign is a functional that package amp does not know.
type foreign struct{ amp.Mean }

func (foreign) String() string { return "mode" }

// twoRows is a task with a prediction of two rows.
func twoRows(owns ...amp.Own) *evaluate.Task {
	ppd := evaluate.Normal{Mu: 1, Sigma: 2}
	return &evaluate.Task{Train: line(50).Data, Level: 0.8, Prediction: evaluate.Prediction{
		PPDs: []evaluate.PPD{ppd, ppd}, Own: owns}}
}

// A method that cannot answer at every row has no answer, and one that can is asked once per row.
func TestPosteriorAnswersAtEveryRowOrNotAtAll(t *testing.T) {
	known := own{evaluate.Normal{Mu: 1, Sigma: 0.5}}
	chains := amp.Chains{Ranks: &amp.Ranks{Sampler: amp.Sampler{Chains: 50}}}
	functionals := []amp.Functional{amp.Quantile{Level: 0.5}, amp.Mean{}}
	for _, c := range []struct {
		method amp.Method
		task   *evaluate.Task
		want   [2]bool // median, mean
	}{
		{amp.Direct{}, twoRows(known, known), [2]bool{true, false}},
		{amp.Direct{}, twoRows(known, nil), [2]bool{}},
		{amp.Direct{}, twoRows(), [2]bool{}},
		{chains, twoRows(), [2]bool{true, true}},
	} {
		made, err := evaluate.Posterior{Method: c.method}.Intervals(t.Context(), c.task, functionals)
		must.Succeed(t, err)
		for k, want := range c.want {
			if got := made[k] != nil; got != want || want && len(made[k]) != 2 {
				t.Errorf("%s, %v: %v", c.method.Name(), functionals[k], made[k])
			}
		}
	}
}

// Limits are those of the method at the level of the task, and its errors are passed on.
func TestPosteriorReadsTheMethod(t *testing.T) {
	known := own{evaluate.Normal{Mu: 1, Sigma: 0.5}}
	task := twoRows(known, known)
	direct := evaluate.Posterior{Method: amp.Direct{}}
	made, err := direct.Intervals(t.Context(), task, []amp.Functional{amp.Quantile{Level: 0.5}})
	must.Succeed(t, err)
	if want := (evaluate.Interval{Lo: known.Quantile(0.1), Hi: known.Quantile(0.9)}); math.Abs(
		made[0][1].Lo-want.Lo) > 1e-12 || math.Abs(made[0][1].Hi-want.Hi) > 1e-12 {
		t.Errorf("%v, want %v", made[0][1], want)
	}
	chains := evaluate.Posterior{Method: amp.Chains{Ranks: &amp.Ranks{
		Sampler: amp.Sampler{Chains: 20}}}}
	var unknown *amp.FunctionalError
	if _, err := chains.Intervals(t.Context(), task, []amp.Functional{foreign{}}); !errors.As(err,
		&unknown) {
		t.Errorf("a functional that the method does not know: %v", err)
	}
}

// Tables and reports look methods up by the names that package amp gives them.
func TestMethodNames(t *testing.T) {
	set := evaluate.Setting{Chains: 2, Steps: 1, Refits: 2}
	want := []string{evaluate.MethodPaper, evaluate.MethodLimit, evaluate.MethodDirect,
		evaluate.MethodCompanion, evaluate.MethodBootstrap}
	for i, m := range set.Methods(false) {
		if m.Name() != want[i] {
			t.Errorf("method %d is called %s, want %s", i, m.Name(), want[i])
		}
	}
}
