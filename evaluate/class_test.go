package evaluate

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/pfnamp/pfnamp/amp"
	"github.com/pfnamp/pfnamp/distr"
	"github.com/pfnamp/pfnamp/internal/must"
	"github.com/pfnamp/pfnamp/pfn"
)

// classRows makes predictions of rows of probabilities.
func classRows(rows ...distr.Classes) (all []amp.Prediction) {
	for _, p := range rows {
		all = append(all, amp.Prediction{PPD: p})
	}
	return all
}

// Values by hand and, of log loss and AUC, of scikit-learn's log_loss and roc_auc_score.
func TestScoreClasses(t *testing.T) {
	two := classRows([]float64{0.9, 0.1}, []float64{0.6, 0.4}, []float64{0.35, 0.65},
		[]float64{0.2, 0.8})
	s := ScoreClasses(two, []float64{0, 1, 0, 1})
	near := func(name string, got, want float64) {
		t.Helper()
		if !(math.Abs(got-want) < 1e-9) {
			t.Errorf("%s: %v, want %v", name, got, want)
		}
	}
	near("log loss", s.LogLoss, -(math.Log(0.9)+math.Log(0.4)+math.Log(0.35)+math.Log(0.8))/4)
	near("Brier", s.Brier, 2*(0.01+0.36+0.4225+0.04)/4)
	near("accuracy", s.Accuracy, 0.5)
	near("AUC", s.AUC, 0.75)
	near("calibration", s.CalibrationError, (0.1+0.6+0.65+0.2)/4)
	three := classRows([]float64{0.5, 0.3, 0.2}, []float64{0.2, 0.5, 0.3}, []float64{0.3, 0.3, 0.4},
		[]float64{0.6, 0.2, 0.2})
	s = ScoreClasses(three, []float64{0, 1, 2, 1})
	near("AUC of three", s.AUC, (2./3+0.5+1)/3)
	near("accuracy of three", s.Accuracy, 0.75)
	sure := ScoreClasses(classRows([]float64{1, 0}), []float64{1})
	near("log loss of the impossible", sure.LogLoss, -math.Log(1e-15))
	if !math.IsNaN(sure.AUC) {
		t.Errorf("AUC of one class: %v", sure.AUC)
	}
}

// Every class is on both sides if it can be, and every row is on one.
func TestClassSplit(t *testing.T) {
	y := []float64{0, 0, 1, 2, 2, 2, 2, 2, 2, 2, 2, 2}
	for _, share := range []float64{0.01, 0.5, 0.99} {
		train, test, err := ClassSplit(1, "k", y, share)
		must.Succeed(t, err)
		all := slices.Sorted(slices.Values(slices.Concat(train, test)))
		for i, row := range all {
			if i != row || len(all) != len(y) {
				t.Fatalf("rows %v and %v", train, test)
			}
		}
		side := func(rows []int, k float64) bool {
			return slices.ContainsFunc(rows, func(i int) bool { return y[i] == k })
		}
		for k := range 3 {
			if !side(train, float64(k)) || side(test, float64(k)) == (k == 1) {
				t.Errorf("share %v, class %d: %v and %v", share, k, train, test)
			}
		}
		again, _, _ := ClassSplit(1, "k", y, share)
		if other, _, _ := ClassSplit(2, "k", y, share); !slices.Equal(train, again) ||
			share == 0.5 && slices.Equal(train, other) {
			t.Errorf("share %v: %v, %v, %v", share, train, again, other)
		}
	}
	var split *SplitError
	if _, _, err := ClassSplit(1, "k", []float64{0, 0, 0, 1}, 0.5); !errors.As(err, &split) {
		t.Errorf("error %v", err)
	}
}

// sharing predicts the shares of the classes, as an oracle of labels without features would.
type sharing struct{ Shares }

// On a table without information the splits score the shares of the classes, and the intervals of
// chains whose steps are those of a Dirichlet posterior cover the shares of the other half.
func TestClassCells(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 6))
	table := Table{Name: "coins", Classes: []string{"no", "yes"}}
	for range 200 {
		table.X.Data = append(table.X.Data, random.NormFloat64())
		table.Y = append(table.Y, float64(random.IntN(2)))
	}
	table.X.Rows, table.X.Cols = 200, 1
	set := Setting{Model: sharing{Shares{2}}, Level: 0.9, Chains: 400, Steps: 50, Seed: 1, Splits: 4,
		Share: 0.5, Refits: 3, Workers: 1}
	parts, err := set.Divide(table)
	must.Succeed(t, err)
	cells := set.TableCells(table, parts)
	outcomes, err := Run(context.Background(), cells, nil, 1, nil)
	must.Succeed(t, err)
	results := Average(Results(cells, outcomes), "split")
	for _, c := range []struct {
		method, functional, metric string
		lo, hi                     float64
	}{
		{MethodPPD, "", MetricLogLoss, 0.68, 0.70}, {BaselineShares, "", "brier", 0.49, 0.51},
		{BaselineLogistic, "", MetricLogLoss, 0.68, 0.72}, {MethodPPD, "", "auc", 0.5, 0.5},
		{MethodLimit, "p=yes", "coverage", 0.99, 1}, {MethodPaper, "p=no", "width", 0.2, 0.6},
		{MethodBootstrap, "p=no", "width", 0.001, 0.2}, {MethodLimit, AllClasses, "coverage", 0.99, 1},
	} {
		r, ok := Find(results, c.method, c.functional, c.metric)
		if v := float64(r.Value); !ok || v < c.lo-1e-9 || v > c.hi+1e-9 {
			t.Errorf("%s %s %s: %v, want %v to %v", c.method, c.functional, c.metric, v, c.lo, c.hi)
		}
	}
	if _, ok := Find(results, MethodDirect, "p=no", "coverage"); ok {
		t.Error("a posterior that the model has not was scored")
	}
}

// Probabilities are those of scikit-learn 1.9.1, LogisticRegression(tol=1e-10) on the columns less
// their means, by their standard deviations of n - 1.
func TestLogisticParity(t *testing.T) {
	for classes, want := range map[int][][]float64{
		2: {{0.810905, 0.189095}, {0.689319, 0.310681}, {0.58047, 0.41953}},
		3: {{0.687193, 0.191931, 0.120876}, {0.228388, 0.478047, 0.293565}, {0.514482, 0.32, 0.165518}},
	} {
		d := pfn.Training{X: Matrix{Rows: 12, Cols: 2}}
		for i := range 12 {
			d.X.Data = append(d.X.Data, float64(i*7%12), float64(i*5%12*(i*5%12)))
			d.Y = append(d.Y, float64((i*i+i/3)%classes))
		}
		p, err := Logistic{classes}.Predict(t.Context(), d, d.X)
		must.Succeed(t, err)
		for i, row := range want {
			for k, v := range row {
				if got := p[i].PPD.(distr.Classes)[k]; math.Abs(got-v) > 2e-4 {
					t.Errorf("%d classes, row %d, class %d: %v, want %v", classes, i, k, got, v)
				}
			}
		}
		one := d.Take([]int{0})
		one.Y[0] = float64(classes - 1)
		if p, err = (Logistic{classes}).Predict(t.Context(), one, d.X); err != nil ||
			p[0].PPD.(distr.Classes)[classes-1] != 1 {
			t.Errorf("of one class: %v, error %v", p, err)
		}
	}
}
