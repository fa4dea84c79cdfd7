package evaluate

import (
	"math"
	"slices"
)

// Pool puts the folds of a cross-validation together: the mean over all rows that are predicted,
// with the standard error that the folds show,
//
//	m = Σ w_k m_k,  SE² = K/(K-1) Σ w_k² (m_k - m)²,  w_k = n_k/n.
//
// A root mean square is that of all rows. R² compares the squared errors with those of the mean of
// the rows that were read, the unconditional baseline: 1 - MSE/MSE₀. Replicates are the rows.
func Pool(results []Result) (pooled []Result) {
	for _, parts := range collected(results, FoldParam) {
		pooled = append(pooled, pool(parts))
	}
	if none, ok := Find(pooled, BaselineUnconditional, "", "rmse"); ok {
		for i, r := range pooled {
			if r.Metric == "r2" {
				miss, _ := Find(pooled, r.Method, "", "rmse")
				pooled[i].Value, pooled[i].SE = 1-miss.Value*miss.Value/(none.Value*none.Value),
					Number(math.NaN())
			}
		}
	}
	return pooled
}

func pool(parts []Result) Result {
	out := parts[0]
	squared := out.Metric == "rmse"
	if out.Metric == "auc" { // a fold of one class has none
		parts = slices.DeleteFunc(slices.Clone(parts), func(r Result) bool {
			return math.IsNaN(float64(r.Value))
		})
	}
	rows, mean := 0, 0.0
	for _, r := range parts {
		rows += r.N
	}
	for _, r := range parts {
		v := float64(r.Value)
		if squared {
			v *= v
		}
		mean += v * float64(r.N) / float64(rows)
	}
	if squared {
		mean = math.Sqrt(mean)
	}
	if len(parts) == 0 {
		mean = math.NaN()
	}
	spread, k := 0.0, float64(len(parts))
	for _, r := range parts {
		off := (float64(r.Value) - mean) * float64(r.N) / float64(rows)
		spread += off * off * k / (k - 1)
	}
	out.Value, out.SE, out.N = Number(mean), Number(math.Sqrt(spread)), rows
	if len(parts) < 2 {
		out.SE = Number(math.NaN())
	}
	return out
}
