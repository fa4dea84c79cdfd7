package evaluate

import (
	"math"
	"testing"
)

func TestLabelled(t *testing.T) {
	var numbers, classes Labelled
	for i, y := range []float64{1, 2, 4} {
		numbers.Add(y, 2, float64(i), Interval{Lo: 1.5, Hi: 4})
	}
	classes.AddClass([]float64{0.25, 0.75}, 1, 1)
	classes.AddClass([]float64{0.25, 0.75}, 1, 0)
	classes.AddClass([]float64{0.25, 0.75}, 1, -1)
	for name, got := range map[string][2]float64{
		"RMSE":     {numbers.RMSE(), math.Sqrt(5.0 / 3)},
		"CRPS":     {numbers.CRPS(), 1},
		"coverage": {numbers.Coverage(), 2.0 / 3},
		"R²":       {numbers.R2(), 1 - 5/(14.0/3)},
		"accuracy": {classes.Accuracy(), 1.0 / 3},
		"Brier":    {classes.Brier(), (0.125 + 1.125 + 1.625) / 3},
		"log loss": {classes.LogLoss(), -math.Log(0.1875) / 2},
		"unseen":   {float64(classes.Unseen), 1},
	} {
		if math.Abs(got[0]-got[1]) > 1e-14 {
			t.Errorf("%s %v, want %v", name, got[0], got[1])
		}
	}
	var equal Labelled
	equal.Add(1, 1, 0, Interval{})
	if !math.IsNaN(equal.R2()) {
		t.Error("R² of one label is a number")
	}
}
