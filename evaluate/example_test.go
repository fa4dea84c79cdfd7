package evaluate_test

import (
	"context"
	"fmt"
	"math"

	"github.com/pfnamp/pfnamp/amp"
	"github.com/pfnamp/pfnamp/evaluate"
	"github.com/pfnamp/pfnamp/pfn"
)

// leastSquares is a model: a normal distribution around the line through the first feature.
type leastSquares struct{}

// Predict implements evaluate.Model.
func (leastSquares) Predict(
	_ context.Context, train pfn.Training, query evaluate.Matrix,
) (rows []amp.Prediction, err error) {
	var x, y, xx, xy float64
	n := float64(len(train.Y))
	for i, v := range train.Y {
		u := train.X.Row(i)[0]
		x, y, xx, xy = x+u/n, y+v/n, xx+u*u/n, xy+u*v/n
	}
	slope := (xy - x*y) / (xx - x*x + 1e-6)
	square := 0.0
	for i, v := range train.Y {
		e := v - y - slope*(train.X.Row(i)[0]-x)
		square += e * e / n
	}
	for i := range query.Rows {
		rows = append(rows, amp.Prediction{PPD: evaluate.Normal{
			Mu: y + slope*(query.Row(i)[0]-x), Sigma: math.Sqrt(square)}})
	}
	return rows, nil
}

// line is a table y = 3 x + noise with standard deviation 1.
func line(rows int) evaluate.Table {
	random := evaluate.Stream(9, "line")
	d := pfn.Training{X: evaluate.Matrix{Rows: rows, Cols: 1}}
	for range rows {
		d.X.Data = append(d.X.Data, random.Float64())
	}
	for _, x := range d.X.Data {
		d.Y = append(d.Y, 3*x+random.NormFloat64())
	}
	return evaluate.Table{Name: "line", Training: d}
}

// A model of one's own on random splits of a table: how well it predicts, and which intervals of
// the median cover what it would say of the held-out rows if it had read them.
func Example() {
	set := evaluate.Setting{Model: leastSquares{}, Level: 0.9, Chains: 200, Steps: 20, Seed: 1,
		Functionals: []amp.Functional{amp.Quantile{Level: 0.5}},
		Splits:      5, Share: 0.5, Refits: 20, Workers: 1}
	table := line(300)
	parts, err := set.Divide(table)
	if err != nil {
		panic(err)
	}
	cells := set.TableCells(table, parts)
	outcomes, err := evaluate.Run(context.Background(), cells, nil, set.Workers, nil)
	if err != nil {
		panic(err)
	}
	results := evaluate.Average(evaluate.Results(cells, outcomes), "split")
	crps, _ := evaluate.Find(results, evaluate.MethodPPD, "", "crps")
	fmt.Printf("CRPS %.2f standard deviations\n", float64(crps.Value))
	for _, method := range []string{evaluate.MethodPaper, evaluate.MethodBootstrap} {
		coverage, _ := evaluate.Find(results, method, "q0.5", "coverage")
		width, _ := evaluate.Find(results, method, "q0.5", "width")
		fmt.Printf("%-9s coverage %.2f, width %.2f\n", method,
			float64(coverage.Value), float64(width.Value))
	}
	// Output:
	// CRPS 0.43 standard deviations
	// paper     coverage 1.00, width 1.07
	// bootstrap coverage 0.86, width 0.33
}
