package report

import (
	"math"

	"gonum.org/v1/gonum/stat/distuv"

	"github.com/pfnamp/pfnamp/evaluate"
)

// sureLevel is the level of the intervals of a verdict.
const sureLevel = 0.95

// Judge returns figures for a verdict on a model, each beside the limits of its 95 % interval,
// whose names end in _lo and _hi. parts are the results of splits or folds of one table, all is
// what these are together, rows is how many rows were predicted, each counted once, and ratio is
// how many rows a part predicts for each one that it reads. The figures are
//
//   - coverage, of numbers. Given what the model has read, rows are independent trials, so the
//     interval is that of [evaluate.BinomialInterval]. It is extended to two standard errors over
//     the parts, which are more where rows of a group are alike.
//   - crps_below_BASELINE, of classes log_loss_below_BASELINE: by how much the model's score is
//     below that of the baseline, in the mean over J parts. Its interval is that of Student's t
//     with J - 1 degrees of freedom. As parts share rows that they read, the standard error is
//     S √(1/J + ratio), where S is the standard deviation of the parts' differences (Nadeau and
//     Bengio 2003).
func Judge(parts, all []evaluate.Result, rows int, ratio float64) (figures []evaluate.Result) {
	loss := evaluate.MetricLogLoss
	if c, numbers := evaluate.Find(all, evaluate.MethodPPD, "", "coverage"); numbers {
		share, off := float64(c.Value), 2*float64(c.SE)
		lo, hi := evaluate.BinomialInterval(int(math.Round(share*float64(rows))), rows, sureLevel)
		if off > 0 {
			lo, hi = max(0, min(lo, share-off)), min(1, max(hi, share+off))
		}
		figures, loss = limits(c, lo, hi), "crps"
	}
	below, model := map[string][]evaluate.Result{}, evaluate.Number(0)
	for _, r := range parts {
		switch {
		case r.Functional != "" || r.Metric != loss:
		case r.Method == evaluate.MethodPPD: // the first of a part
			model = r.Value
		default:
			r.Params, r.Value = nil, r.Value-model
			below[r.Method] = append(below[r.Method], r)
		}
	}
	for _, baseline := range predictorsOf(all, loss)[1:] {
		d, off, count := evaluate.Pool(below[baseline])[0], math.NaN(), float64(len(below[baseline]))
		d.Method, d.Metric = evaluate.MethodPPD, loss+"_below_"+baseline
		d.SE *= evaluate.Number(math.Sqrt(1 + count*ratio))
		if count > 1 {
			t := distuv.StudentsT{Sigma: 1, Nu: count - 1}
			off = float64(d.SE) * t.Quantile((1+sureLevel)/2)
		}
		figures = append(append(figures, d), limits(d, float64(d.Value)-off, float64(d.Value)+off)...)
	}
	return figures
}

// limits are those of the interval of a figure.
func limits(r evaluate.Result, lo, hi float64) []evaluate.Result {
	low, high := r, r
	low.Metric, low.Value = r.Metric+"_lo", evaluate.Number(lo)
	high.Metric, high.Value = r.Metric+"_hi", evaluate.Number(hi)
	low.SE, high.SE = evaluate.Number(math.NaN()), evaluate.Number(math.NaN())
	return []evaluate.Result{low, high}
}
