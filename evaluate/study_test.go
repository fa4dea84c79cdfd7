package evaluate

import (
	"context"
	"encoding/json"
	"errors"
	"math"
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// small is a setting whose studies take a second.
func small() Setting {
	return Setting{Seed: 1, Level: 0.9, Chains: 40, Steps: 10, Sets: 2, Points: 20, Workers: 2,
		Splits: 2, Share: 0.4, Refits: 4, Functionals: medianAndQ90()}
}

// cellsOf returns those cells of a study that have the keys.
func cellsOf(t *testing.T, name string, set Setting, keys ...string) []Cell {
	t.Helper()
	s, ok := FindStudy(name)
	if !ok {
		t.Fatalf("no study %q", name)
	}
	var cells []Cell
	for _, c := range s.Cells(set) {
		if slices.Contains(keys, c.Key) {
			cells = append(cells, c)
		}
	}
	if len(cells) != len(keys) {
		t.Fatalf("%d cells of %v", len(cells), keys)
	}
	return cells
}

func TestStudiesHaveDistinctKeys(t *testing.T) {
	if _, ok := FindStudy("no such study"); ok {
		t.Error("a study that does not exist was found")
	}
	for _, s := range Studies() {
		seen := map[string]bool{}
		for _, c := range s.Cells(small()) {
			if seen[c.Key] || filepath.Base(c.Key) != c.Key {
				t.Errorf("%s: key %q is repeated or no file name", s.Name, c.Key)
			}
			seen[c.Key] = true
		}
	}
}

// Every simulation answers for every method, whatever the number of workers.
func TestSimulationStudies(t *testing.T) {
	for _, study := range []struct {
		name    string
		key     string
		methods []string
	}{
		{"simulation", "d10-J5-n50", []string{MethodOptimal, MethodPaper, MethodLimit, MethodLocal}},
		{"ablation", "d1-J1-n100", []string{MethodPaper, "PPD x 0.8", "PPD x 1.25", "beta = 1",
			"no blow-up"}},
		{"steps", "d1-J1-n50", []string{"N = 5", "N = 50"}},
		{"effect", "n50", []string{MethodOptimal, MethodPaper}},
	} {
		cells := cellsOf(t, study.name, small(), study.key)
		outcomes, err := Run(t.Context(), cells, nil, 1, nil)
		if err != nil {
			t.Fatal(err)
		}
		results := Results(cells, outcomes)
		for _, m := range study.methods {
			c, ok := Find(results, m, "q0.5", "coverage")
			w, _ := Find(results, m, "q0.5", "width")
			if !ok || !(c.Value >= 0 && c.Value <= 1) || !(w.Value > 0) {
				t.Errorf("%s, %s: coverage %v, width %v", study.name, m, c.Value, w.Value)
			}
		}
	}
}

// The compressed distribution has intervals 0.8 times as wide, exactly.
func TestAblationStretches(t *testing.T) {
	cells := cellsOf(t, "ablation", small(), "d10-J10-n50")
	outcomes, err := Run(t.Context(), cells, nil, 1, nil)
	if err != nil {
		t.Fatal(err)
	}
	results := Results(cells, outcomes)
	whole, _ := Find(results, MethodPaper, "q0.9", "width")
	less, _ := Find(results, "PPD x 0.8", "q0.9", "width")
	if ratio := float64(less.Value / whole.Value); math.Abs(ratio-0.8) > 1e-9 {
		t.Errorf("width ratio %v", ratio)
	}
}

// Results do not depend on workers; times apart.
func TestRunIsDeterministic(t *testing.T) {
	keys := []string{"d1-J1-n50", "d10-J5-n50", "d1-J1-n100"}
	var texts []string
	for _, workers := range []int{1, 3} {
		cells := cellsOf(t, "simulation", small(), keys...)
		outcomes, err := Run(t.Context(), cells, nil, workers, nil)
		if err != nil {
			t.Fatal(err)
		}
		results := slices.DeleteFunc(Results(cells, outcomes),
			func(r Result) bool { return r.Metric == "time_s" })
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

// An interrupted run keeps what it finished, and the next one computes the rest only.
func TestRunResumes(t *testing.T) {
	folder := t.TempDir()
	setting := map[string]string{"seed": "1"}
	computed := map[string]int{}
	ctx, stop := context.WithCancel(t.Context())
	var cells []Cell
	for _, key := range []string{"a", "b", "c"} {
		cells = append(cells, Cell{Key: key, Run: func(ctx context.Context) (Outcome, error) {
			if err := ctx.Err(); err != nil {
				return Outcome{}, err
			}
			computed[key]++
			return Outcome{Measures: []Measure{{Method: key, Value: 1, SE: Number(math.NaN())}}}, nil
		}})
	}
	store, err := OpenStore(folder, setting)
	if err != nil {
		t.Fatal(err)
	}
	_, err = Run(ctx, cells, store, 1, func(n int) {
		if n == 2 {
			stop()
		}
	})
	if !errors.Is(err, context.Canceled) {
		t.Fatalf("interrupted: %v", err)
	}
	if store, err = OpenStore(folder, setting); err != nil {
		t.Fatal(err)
	}
	outcomes, err := Run(t.Context(), cells, store, 1, nil)
	if err != nil {
		t.Fatal(err)
	}
	for i, c := range cells {
		if computed[c.Key] != 1 {
			t.Errorf("cell %s was computed %d times", c.Key, computed[c.Key])
		}
		m := outcomes[i].Measures[0]
		if m.Method != c.Key || m.Value != 1 || !math.IsNaN(float64(m.SE)) {
			t.Errorf("cell %s: %v", c.Key, m)
		}
	}
	var other *StoreError
	if _, err := OpenStore(folder, map[string]string{"seed": "2"}); !errors.As(err, &other) ||
		other.Field != "seed" {
		t.Errorf("another setting: %v", err)
	}
	if err := os.WriteFile(filepath.Join(folder, "cells", "b.json"), []byte("{"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Run(t.Context(), cells, store, 1, nil); err == nil {
		t.Error("a damaged cell was read")
	}
}

// ridge is a model for tables: a normal distribution around a least-squares line in one feature.
type ridge struct{}

func (ridge) Predict(_ context.Context, train Data, query Matrix) (Prediction, error) {
	var x, y, xx, xy float64
	n := float64(train.Rows)
	for i, v := range train.Y {
		u := train.Row(i)[0]
		x, y, xx, xy = x+u/n, y+v/n, xx+u*u/n, xy+u*v/n
	}
	slope := (xy - x*y) / (xx - x*x + 1e-6)
	square := 0.0
	for i, v := range train.Y {
		e := v - y - slope*(train.Row(i)[0]-x)
		square += e * e / n
	}
	var p Prediction
	for i := range query.Rows {
		p.PPDs = append(p.PPDs, Normal{y + slope*(query.Row(i)[0]-x), math.Sqrt(square)})
	}
	return p, nil
}

// line is a table y = 3 x + noise.
func line(rows int) Table {
	random := stream(9, "line")
	d := Data{Matrix: Additive{1, 1}.Points(random, rows)}
	for i := range rows {
		d.Y = append(d.Y, 3*d.Row(i)[0]+random.NormFloat64())
	}
	return Table{"line", d}
}

// A bootstrap of least squares is near its nominal coverage of the surrogate, and the chains
// cover it too; a model without its own posterior has no direct intervals.
func TestTableCells(t *testing.T) {
	set := small()
	set.Model, set.Splits, set.Refits, set.Chains, set.Steps = ridge{}, 20, 40, 200, 50
	table := line(300)
	if err := set.Check(table); err != nil {
		t.Fatal(err)
	}
	cells := set.TableCells(table)
	outcomes, err := Run(t.Context(), cells, nil, 2, nil)
	if err != nil {
		t.Fatal(err)
	}
	results := Average(Results(cells, outcomes), "split")
	if ppd, _ := Find(results, MethodPPD, "", "coverage"); math.Abs(float64(ppd.Value)-0.9) > 0.05 {
		t.Errorf("predictive coverage %v", ppd.Value)
	}
	crps, _ := Find(results, MethodPPD, "", "crps")
	if want := (Normal{0, 1}).CRPS(0.8) / deviation(table.Y); !(float64(crps.Value) > 0.8*want) {
		t.Errorf("CRPS %v of noise with standard deviation 1", crps.Value)
	}
	boot, _ := Find(results, MethodBootstrap, "q0.5", "coverage")
	if boot.N != 20 || boot.Value < 0.6 || boot.Value > 0.97 {
		t.Errorf("bootstrap coverage %v ± %v", boot.Value, boot.SE)
	}
	if paper, _ := Find(results, MethodPaper, "q0.5", "coverage"); paper.Value < 0.9 {
		t.Errorf("paper coverage %v", paper.Value)
	}
	for _, m := range []string{MethodDirect, MethodLocal} {
		if _, ok := Find(results, m, "q0.5", "width"); ok {
			t.Errorf("%s answered without the model's posterior", m)
		}
	}
	if c := outcomes[0].Curves; len(c) < 6 || outcomes[1].Curves[1].Name != CurvePIT {
		t.Errorf("%d curves in the first split", len(c))
	}
}

func TestCheckTable(t *testing.T) {
	set := small()
	flat := line(30)
	for i := range flat.Y {
		flat.Y[i] = 4
	}
	var constant *ConstantError
	if err := set.Check(flat); !errors.As(err, &constant) {
		t.Errorf("constant target: %v", err)
	}
	var split *SplitError
	if err := set.Check(line(3)); !errors.As(err, &split) {
		t.Errorf("three rows: %v", err)
	}
}

func TestAverage(t *testing.T) {
	at := func(n, split int, v Number) Result {
		return Result{[]Param{{"n", n}, {"split", split}}, Measure{Method: "a", Metric: "m", Value: v}}
	}
	got := Average([]Result{at(1, 1, 2), at(2, 1, 5), at(1, 2, 4)}, "split")
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

func TestPublished(t *testing.T) {
	all, err := Published()
	if err != nil {
		t.Fatal(err)
	}
	if len(all) != 2*2*2*3*8 {
		t.Errorf("%d figures", len(all))
	}
	for _, r := range all {
		if r.Param("dataset") == "fish" && r.Param("model") == "tabpfn" && r.Method == MethodPaper &&
			r.Functional == "q0.5" && r.Metric == "width" && r.Value != 1.72 {
			t.Errorf("table 2 says 1.72, got %v", r.Value)
		}
	}
}
