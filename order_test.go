package pfnamp

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// The order of the rows of TRAIN does not matter, to the last bit: with columns that are nearly the
// same up to a power, texts, missing cells and equal rows, for numbers and classes, all rows and
// drawn ones.
func TestOrderOfRowsDoesNotMatter(t *testing.T) {
	r := rand.New(rand.NewPCG(6, 6))
	var rows []map[string]any
	for i := range 90 {
		size := math.Exp(r.NormFloat64())
		row := map[string]any{"town": []string{"Ulm", "Bonn", "Kiel"}[r.IntN(3)], "y": size +
			r.NormFloat64(),
			"class": []string{"no", "yes"}[r.IntN(2)]}
		for j := range 6 {
			row[fmt.Sprint("size", j)] = math.Pow(size, 1+0.3*float64(j)) * (1 + 0.01*r.NormFloat64())
		}
		if i%9 == 0 {
			row["size2"] = nil
		}
		if rows = append(rows, row); i%30 == 0 {
			rows = append(rows, row)
		}
	}
	for name, opt := range map[string]FitOptions{
		"":           {Target: "y", Ignore: []string{"class"}},
		"classifier": {Target: "class", Ignore: []string{"y"}},
	} {
		m := opened(t, name)
		for _, subsample := range []int{0, 40} {
			opt.Subsample = subsample
			var first string
			for range 3 {
				f := fitRows(t, m, "rows", slices.Clone(rows), opt)
				a := ask(t, prepare(t, f, Question{Chains: 50, Posteriors: []Posterior{Auto, Paper}}),
					rows[:20])
				got := fmt.Sprint(a.Posteriors, a.Predictive, a.Best)
				if first == "" {
					first = got
				}
				if got != first {
					t.Errorf("%q, subsample %d: another answer in another order", name, subsample)
				}
				f.Close()
				head, tail := rows[:20], slices.Clone(rows[20:]) // query rows stay in place
				r.Shuffle(len(tail), func(i, j int) { tail[i], tail[j] = tail[j], tail[i] })
				rows = append(slices.Clone(head), tail...)
			}
		}
	}
}
