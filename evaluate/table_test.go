package evaluate_test

import (
	"encoding/json"
	"errors"
	"slices"
	"testing"

	"github.com/pfnamp/pfnamp/amp"
	"github.com/pfnamp/pfnamp/evaluate"
	"github.com/pfnamp/pfnamp/internal/must"
)

// small is a setting whose evaluations take a second.
func small() evaluate.Setting {
	return evaluate.Setting{Model: leastSquares{}, Seed: 1, Level: 0.9, Chains: 40, Steps: 10,
		Splits: 3, Share: 0.4, Refits: 4, Workers: 2,
		Functionals: []amp.Functional{amp.Quantile{Level: 0.5}, amp.Quantile{Level: 0.9}}}
}

func TestDivide(t *testing.T) {
	set := small()
	flat := line(30)
	for i := range flat.Y {
		flat.Y[i] = 4
	}
	var wrong *evaluate.TargetError
	if _, err := set.Divide(flat); !errors.As(err, &wrong) || wrong.Remedy != "" {
		t.Errorf("constant target: %v", err)
	}
	for _, unit := range []float64{1e-322, 1e-200, 1e200, 1e300} {
		far := line(30)
		for i := range far.Y {
			far.Y[i] *= unit / 30
		}
		if _, err := set.Divide(far); !errors.As(err, &wrong) || wrong.Remedy == "" {
			t.Errorf("target in units of %g: %v", unit, err)
		}
	}
	var split *evaluate.SplitError
	if _, err := set.Divide(line(3)); !errors.As(err, &split) {
		t.Errorf("three rows: %v", err)
	}
}

// Results do not depend on workers; times apart.
func TestTableCellsAreDeterministic(t *testing.T) {
	var texts []string
	for _, workers := range []int{1, 3} {
		set := small()
		set.Workers = workers
		cells := set.TableCells(line(60), nil)
		outcomes, err := evaluate.Run(t.Context(), cells, nil, workers, nil)
		must.Succeed(t, err)
		results := slices.DeleteFunc(evaluate.Results(cells, outcomes),
			func(r evaluate.Result) bool { return r.Metric == "time_s" })
		text, err := json.Marshal(results)
		must.Succeed(t, err)
		texts = append(texts, string(text))
	}
	if texts[0] != texts[1] {
		t.Error("one and three workers give different results")
	}
}
