package evaluate

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/pfnamp/pfnamp/amp"
	"github.com/pfnamp/pfnamp/internal/must"
	"github.com/pfnamp/pfnamp/pfn"
)

// crossed runs a cross-validation of a table with a baseline as the model.
func crossed(t *testing.T, set Setting, table Table) []Result {
	t.Helper()
	parts, err := set.Divide(table)
	must.Succeed(t, err)
	cells := set.TableCells(table, parts)
	outcomes, err := Run(t.Context(), cells, nil, 1, nil)
	must.Succeed(t, err)
	return Pool(Results(cells, outcomes))
}

// recording keeps what a model was asked, by the row's first feature.
type recording struct {
	Baseline
	seen map[float64]amp.Prediction
}

func (r recording) Predict(
	ctx context.Context, train pfn.Training, query Matrix,
) ([]amp.Prediction, error) {
	rows, err := r.Baseline.Predict(ctx, train, query)
	for i, row := range rows {
		r.seen[query.Row(i)[0]] = row
	}
	return rows, err
}

// The figures of all folds together are those of all rows at once, in the unit of the target, and
// R² compares with the mean of the rows that were read.
func TestFoldsTogether(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 1))
	table := Table{Name: "rows"}
	table.X.Rows, table.X.Cols = 53, 2
	for i := range table.X.Rows {
		x := random.NormFloat64()
		table.X.Data = append(table.X.Data, float64(i), x)
		table.Y = append(table.Y, 1000*x+300*random.NormFloat64())
	}
	model := recording{Ridge{}, map[float64]amp.Prediction{}}
	results := crossed(t, Setting{Model: model, Level: 0.8, Seed: 1, Folds: 4}, table)
	var all []amp.Prediction
	for i := range table.X.Rows {
		all = append(all, model.seen[float64(i)])
	}
	want := ScorePPDs(all, table.Y, 0.8)
	for metric, value := range map[string]float64{"crps": want.CRPS, "rmse": want.RMSE,
		"coverage": want.Coverage,
		"width":    want.Width, "log_score": want.LogScore, "pinball_0.5": want.Pinball[9]} {
		got, ok := Find(results, MethodPPD, "", metric)
		if !ok || math.Abs(float64(got.Value)/value-1) > 1e-9 || got.N != table.X.Rows || !(got.SE > 0) {
			t.Errorf("%s is %+v, want %v", metric, got, value)
		}
	}
	miss, _ := Find(results, BaselineUnconditional, "", "rmse")
	r2, _ := Find(results, BaselineRidge, "", "r2")
	share := 1 - want.RMSE*want.RMSE/float64(miss.Value*miss.Value)
	if math.Abs(float64(r2.Value)-share) > 1e-9 {
		t.Errorf("R² is %v, want %v", r2.Value, share)
	}
	if none, _ := Find(results, BaselineUnconditional, "", "r2"); none.Value != 0 {
		t.Errorf("R² of the mean is %v", none.Value)
	}
}

// Classes are divided evenly, and tables that folds leave too little of are refused.
func TestFoldsOfClasses(t *testing.T) {
	table := Table{Name: "rows", Classes: []string{"a", "b", "c"}}
	table.X.Rows, table.X.Cols = 60, 1
	for i := range table.X.Rows {
		k := i % 3
		table.X.Data = append(table.X.Data, float64(k)+float64(i%7)/4)
		table.Y = append(table.Y, float64(k))
	}
	set := Setting{Model: Logistic{3}, Level: 0.9, Folds: 5}
	parts, _ := set.Divide(table)
	for _, p := range parts {
		counts := [3]int{}
		for _, row := range p.Held {
			counts[int(table.Y[row])]++
		}
		if counts != [3]int{4, 4, 4} {
			t.Errorf("a fold has %v rows of the classes", counts)
		}
	}
	shares, _ := Find(crossed(t, set, table), BaselineShares, "", MetricLogLoss)
	if math.Abs(float64(shares.Value)-math.Log(3)) > 1e-9 {
		t.Errorf("the log loss of the shares is %v", shares.Value)
	}
	table.Y = append(make([]float64, 59), 1)
	if _, err := set.Divide(table); err == nil {
		t.Error("a class with one row, and only one other, passes")
	}
	set.Folds = 61
	if _, err := set.Divide(Table{Name: "few",
		Training: pfn.Training{X: table.X, Y: table.X.Data}}); err == nil {
		t.Error("more folds than rows pass")
	}
}
