package pfnamp

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/pfnamp/pfnamp/amp"
	"github.com/pfnamp/pfnamp/internal/must"
)

// An answer depends on what TRAIN holds, and not on how it is written: columns in another order
// (those of maps are in the order of their names), other names of categories, yes and no exchanged,
// other names of classes. Of numbers, the bytes are the same; of classes, sums have another order.
func TestNamesAndOrderOfColumnsDoNotMatter(t *testing.T) {
	columns := map[string]string{"size": "b", "age": "a", "town": "z", "owned": "c"}
	values := map[any]any{"Ulm": "z", "Bonn": "m", "Kiel": "a", "no": "yes", "yes": "no", "A": "C",
		"B": "A", "C": "B"}
	r := rand.New(rand.NewPCG(1, 2))
	var rows, renamed []map[string]any
	for i := range 80 {
		row := map[string]any{"size": r.NormFloat64(), "age": float64(r.IntN(9)),
			"town": []string{"Ulm", "Bonn", "Kiel"}[r.IntN(3)], "owned": []string{"no", "yes"}[i%2]}
		y := row["size"].(float64) + r.NormFloat64() + float64(i%2)
		row["y"], row["class"] = y, []string{"A", "B", "C"}[min(2, max(0, int(y+1)))]
		if i%7 == 0 {
			row["age"] = nil
		}
		other := map[string]any{"y": row["y"], "class": values[row["class"]]}
		for from, to := range columns {
			other[to] = row[from]
			if v, ok := values[row[from]]; ok {
				other[to] = v
			}
		}
		rows, renamed = append(rows, row), append(renamed, other)
	}
	answer := func(name string, opt FitOptions, rows []map[string]any) ([]string, *Answer) {
		f := fitRows(t, opened(t, name), "rows", rows, opt)
		return f.Classes(), ask(t, prepare(t, f, Question{}), rows[:20])
	}
	for _, ignored := range [][2][]string{{{"class"}, {"class"}},
		// categories alone; "no" is as frequent as "yes"
		{{"class", "size", "age"}, {"class", "b", "a"}}} {
		_, before := answer("", FitOptions{Target: "y", Ignore: ignored[0]}, rows)
		_, after := answer("", FitOptions{Target: "y", Ignore: ignored[1]}, renamed)
		if fmt.Sprint(before.Posteriors, before.Predictive) != fmt.Sprint(after.Posteriors,
			after.Predictive) {
			t.Errorf("numbers, without %s: another answer", ignored[0])
		}
	}
	labels, before := answer("classifier", FitOptions{Target: "class", Ignore: []string{"y"}}, rows)
	others, after := answer("classifier", FitOptions{Target: "class", Ignore: []string{"y"}}, renamed)
	for k, label := range labels {
		for m, other := range others {
			if values[label] != other {
				continue
			}
			for i, e := range before.Posteriors[0].Estimates[k] {
				o := after.Posteriors[0].Estimates[m][i]
				if math.Abs(e.Point-o.Point)+math.Abs(e.Lo-o.Lo)+math.Abs(e.Hi-o.Hi) > 1e-9 {
					t.Errorf("class %s, row %d: %v, then %v", label, i, e, o)
				}
			}
		}
	}
}

// Points add up: the mean is that of the predictive distribution, and probabilities of a partition
// sum to 1. Every interval holds its point.
func TestPointsAddUp(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	var rows []map[string]any
	for range 60 {
		x := r.NormFloat64()
		rows = append(rows, map[string]any{"x": x, "y": math.Exp(x + 0.7*r.NormFloat64())})
	}
	f := fitRows(t, opened(t, ""), "rows", rows, FitOptions{Target: "y", Values: &amp.Support{}})
	functionals, err := amp.ParseFunctionals("mean,p<=0.5,p(0.5,2],p>2,q0.5")
	must.Succeed(t, err)
	a := ask(t, prepare(t, f, Question{Functionals: functionals}), rows)
	for i, p := range a.Predictions {
		of := func(f int) amp.Estimate { return a.Posteriors[0].Estimates[f][i] }
		if of(0).Point != p.PPD.Mean() {
			t.Errorf("row %d: mean %v of a distribution with mean %v", i, of(0).Point, p.PPD.Mean())
		}
		if sum := of(1).Point + of(2).Point + of(3).Point; math.Abs(sum-1) > 1e-12 {
			t.Errorf("row %d: the probabilities sum to %v", i, sum)
		}
		for f := range functionals {
			if e := of(f); !(e.Lo <= e.Point && e.Point <= e.Hi) {
				t.Errorf("row %d: %v", i, e)
			}
		}
	}
}
