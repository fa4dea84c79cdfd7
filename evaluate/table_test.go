package evaluate_test

import (
	"encoding/json"
	"errors"
	"math"
	"slices"
	"testing"

	"github.com/pfnamp/pfnamp/amp"
	"github.com/pfnamp/pfnamp/evaluate"
)

// small is a setting whose evaluations take a second.
func small() evaluate.Setting {
	return evaluate.Setting{Model: leastSquares{}, Seed: 1, Level: 0.9, Chains: 40, Steps: 10,
		Splits: 3, Share: 0.4, Refits: 4, Workers: 2,
		Functionals: []amp.Functional{amp.Quantile{Level: 0.5}, amp.Quantile{Level: 0.9}}}
}

// A bootstrap of least squares is near its nominal coverage of the surrogate, and the chains
// cover it too; a model without its own posterior has no direct intervals.
func TestTableCells(t *testing.T) {
	set := small()
	set.Splits, set.Refits, set.Chains, set.Steps = 20, 40, 100, 50
	table := line(300)
	if err := set.Check(table); err != nil {
		t.Fatal(err)
	}
	cells := set.TableCells(table)
	outcomes, err := evaluate.Run(t.Context(), cells, nil, 2, nil)
	if err != nil {
		t.Fatal(err)
	}
	results := evaluate.Average(evaluate.Results(cells, outcomes), "split")
	ppd, _ := evaluate.Find(results, evaluate.MethodPPD, "", "coverage")
	if math.Abs(float64(ppd.Value)-0.9) > 0.05 {
		t.Errorf("predictive coverage %v", ppd.Value)
	}
	crps, _ := evaluate.Find(results, evaluate.MethodPPD, "", "crps")
	var labels evaluate.Moments
	for _, y := range table.Y {
		labels.Add(y)
	}
	unit := labels.SE() * math.Sqrt(float64(labels.N()))
	want := (evaluate.Normal{Mu: 0, Sigma: 1}).CRPS(0.8) / unit
	if !(float64(crps.Value) > 0.8*want) {
		t.Errorf("CRPS %v of noise with standard deviation 1", crps.Value)
	}
	boot, _ := evaluate.Find(results, evaluate.MethodBootstrap, "q0.5", "coverage")
	if boot.N != 20 || boot.Value < 0.6 || boot.Value > 0.97 {
		t.Errorf("bootstrap coverage %v ± %v", boot.Value, boot.SE)
	}
	paper, _ := evaluate.Find(results, evaluate.MethodPaper, "q0.5", "coverage")
	if paper.Value < 0.9 {
		t.Errorf("paper coverage %v", paper.Value)
	}
	for _, m := range []string{evaluate.MethodDirect, evaluate.MethodLocal} {
		if _, ok := evaluate.Find(results, m, "q0.5", "width"); ok {
			t.Errorf("%s answered without the model's posterior", m)
		}
	}
	if c := outcomes[0].Curves; len(c) < 6 || outcomes[1].Curves[1].Name != evaluate.CurvePIT {
		t.Errorf("%d curves in the first split", len(c))
	}
}

func TestCheckTable(t *testing.T) {
	set := small()
	flat := line(30)
	for i := range flat.Y {
		flat.Y[i] = 4
	}
	var constant *evaluate.ConstantError
	if err := set.Check(flat); !errors.As(err, &constant) {
		t.Errorf("constant target: %v", err)
	}
	for _, unit := range []float64{1e-322, 1e-200, 1e200, 1e300} {
		far := line(30)
		for i := range far.Y {
			far.Y[i] *= unit / 30
		}
		var wrong *evaluate.UnitError
		if err := set.Check(far); !errors.As(err, &wrong) {
			t.Errorf("target in units of %g: %v", unit, err)
		}
	}
	var split *evaluate.SplitError
	if err := set.Check(line(3)); !errors.As(err, &split) {
		t.Errorf("three rows: %v", err)
	}
}

// Results do not depend on workers; times apart.
func TestTableCellsAreDeterministic(t *testing.T) {
	var texts []string
	for _, workers := range []int{1, 3} {
		set := small()
		set.Workers = workers
		cells := set.TableCells(line(60))
		outcomes, err := evaluate.Run(t.Context(), cells, nil, workers, nil)
		if err != nil {
			t.Fatal(err)
		}
		results := slices.DeleteFunc(evaluate.Results(cells, outcomes),
			func(r evaluate.Result) bool { return r.Metric == "time_s" })
		text, err := json.Marshal(results)
		if err != nil {
			t.Fatal(err)
		}
		texts = append(texts, string(text))
	}
	if texts[0] != texts[1] {
		t.Error("one and three workers give different results")
	}
}
