package evaluate_test

import (
	"encoding/json"
	"testing"

	"github.com/pfnamp/pfnamp/evaluate"
)

func TestAverage(t *testing.T) {
	at := func(n, split int, v evaluate.Number) evaluate.Result {
		return evaluate.Result{
			Params:  []evaluate.Param{{Name: "n", Value: n}, {Name: "split", Value: split}},
			Measure: evaluate.Measure{Method: "a", Metric: "m", Value: v}}
	}
	got := evaluate.Average([]evaluate.Result{at(1, 1, 2), at(2, 1, 5), at(1, 2, 4)}, "split")
	if len(got) != 2 || got[0].Value != 3 || got[0].SE != 1 || got[0].N != 2 || got[1].Value != 5 {
		t.Errorf("%+v", got)
	}
	if got[0].Param("split") != "" || got[0].Param("n") != "1" {
		t.Errorf("coordinates %v", got[0].Params)
	}
	text, err := json.Marshal(got[1])
	want := `{"n":2,"method":"a","functional":"","metric":"m","value":5,"se":null,"replicates":1}`
	if err != nil || string(text) != want {
		t.Errorf("%s, %v", text, err)
	}
}
