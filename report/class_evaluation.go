package report

import (
	"fmt"
	"math"
	"slices"

	"github.com/pfnamp/pfnamp/evaluate"
)

// ClassTable lists the scores of class probabilities: mean ± two standard errors over the splits.
// The model comes first, then the baselines.
func ClassTable(results []evaluate.Result) *Table {
	metrics := []string{evaluate.MetricLogLoss, "brier", "auc", "accuracy", "calibration_error",
		"time_s"}
	t := &Table{Names: 1, Header: append([]string{"prediction"}, metrics...)}
	g := group{"", results}
	for _, p := range classPredictors(results) {
		row := []string{p}
		if p == evaluate.MethodPPD {
			row[0] = "model"
		}
		for _, m := range metrics {
			row = append(row, g.cell(p, "", m))
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}

// classPredictors lists whose probabilities are scored, the model first.
func classPredictors(results []evaluate.Result) []string {
	all := []string{evaluate.MethodPPD}
	for _, r := range results {
		if r.Functional == "" && r.Metric == evaluate.MetricLogLoss && !slices.Contains(all, r.Method) {
			all = append(all, r.Method)
		}
	}
	return all
}

// ClassReliabilityChart draws how often a class is the label, by its predicted probability, and a
// histogram of these probabilities, over all splits together. Bars are two standard errors for the
// number of labels in one split.
func ClassReliabilityChart(outcomes []evaluate.Outcome) Chart {
	share := Series{Name: "share of rows with the class"}
	often := Series{Name: "predicted probabilities", Mark: Bars}
	total := 0.0
	for _, b := range pooledBins(outcomes) {
		often.X, often.Y = append(often.X, b.at), append(often.Y, b.n)
		total += b.n
		if b.n == 0 {
			continue
		}
		p := b.hits / b.n
		share.X, share.Y = append(share.X, b.forecast/b.n), append(share.Y, p)
		share.Err = append(share.Err, 2*math.Sqrt(p*(1-p)/b.n*float64(len(outcomes))))
	}
	for i := range often.Y {
		often.Y[i] /= total
	}
	return Chart{Alt: "Calibration of the class probabilities", Panels: [][]Panel{{
		{Title: "reliability", X: "predicted probability of a class", Y: "share of rows with the class",
			Diagonal: true, Range: []float64{0, 1}, Series: []Series{share}},
		{Title: "sharpness", X: "predicted probability of a class",
			Y:      "share of predictions",
			Series: []Series{often}},
	}}, Width: 19, Height: 8}
}

// ClassTradeChart draws coverage against width of the intervals of class probabilities, one dot per
// class and split. Good intervals are on or above the dashed line, far left.
func ClassTradeChart(results []evaluate.Result, level float64) Chart {
	p := Panel{X: "mean width of the interval of a probability", Y: "coverage",
		Target: []float64{level}, Range: []float64{0, 1.03}}
	for _, m := range MethodsOf(results) {
		s := Series{Name: m, Mark: Dots}
		for _, r := range results {
			if r.Method != m || r.Metric != "width" || r.Functional == evaluate.AllClasses {
				continue
			}
			for _, c := range results {
				if c.Method == m && c.Metric == "coverage" && c.Functional == r.Functional &&
					slices.Equal(c.Params, r.Params) {
					s.X, s.Y = append(s.X, float64(r.Value)), append(s.Y, float64(c.Value))
				}
			}
		}
		p.Series = append(p.Series, s)
	}
	return Chart{Panels: [][]Panel{{p}}, Width: 12, Height: 8,
		Alt: "Coverage and width of the intervals of class probabilities"}
}

// pooledBin is a column of the picture over all splits.
type pooledBin struct{ at, n, forecast, hits float64 }

// pooledBins sums the columns of all outcomes.
func pooledBins(outcomes []evaluate.Outcome) (all []pooledBin) {
	for _, o := range outcomes {
		rows, ok := curve(o, evaluate.CurveBins)
		forecast, _ := curve(o, evaluate.CurveForecast)
		hits, _ := curve(o, evaluate.CurveHits)
		if !ok {
			continue
		}
		if all == nil {
			all = make([]pooledBin, len(rows.X))
		}
		for i, n := range rows.Y {
			b := &all[i]
			b.at = float64(rows.X[i])
			if n > 0 {
				b.n += float64(n)
				b.forecast += float64(n * forecast.Y[i])
				b.hits += float64(n * hits.Y[i])
			}
		}
	}
	return all
}

// ClassEvaluation is the content of a page about random splits of one table with labels.
type ClassEvaluation struct {
	Evaluation
	Classes string // labels with their numbers of rows, in words
	Read    int    // rows that the model reads in a split
}

// Page makes the page: verdict, scores beside baselines, reliability, credible intervals.
func (e ClassEvaluation) Page() Page {
	all := evaluate.Results(e.Cells, e.Outcomes)
	averaged := evaluate.Average(all, "split")
	return Page{Title: e.Title, Verdict: e.verdict(averaged), Lead: []string{
		fmt.Sprintf("%s has %s. In each of %s the model reads %s of the rows of every class, %d rows in "+
			"total, and predicts the others. Figures are means ± two standard errors over the splits.",
			e.Asked.Target, e.Classes, counted(len(e.Cells), "random split"), percent(e.Share), e.Read),
		e.How,
	}, Sections: []Section{
		{Title: "Probabilities of the classes", Table: ClassTable(averaged),
			Chart: ClassReliabilityChart(e.Outcomes), Text: []string{
				"The model is useful if its errors are smaller than those of the baselines: logistic " +
					"regression, and the shares of the classes in the training rows.",
				"Log loss is the mean of -log of the probability of the label, in nats. The Brier score is " +
					"the sum of squared errors over classes, from 0 to 2. AUC compares " +
					"one class with the rest. The calibration error is the mean distance of the points " +
					"in the picture from the dashed line; chance keeps it above 0 even for calibrated " +
					"probabilities."}},
		{Title: "Credible intervals", Table: IntervalTable(averaged),
			Chart: ClassTradeChart(all, e.Asked.Level),
			Text: []string{
				fmt.Sprintf("The best intervals have the smallest width among those with a coverage of at "+
					"least %g.", e.Asked.Level),
				"Nobody knows the true probability of a class. Its surrogate is the probability that the " +
					"same model predicts after it reads the test rows too. " + surrogateText}},
	}}
}

// verdict says what the figures mean.
func (e ClassEvaluation) verdict(results []evaluate.Result) []string {
	find := func(method, metric string) float64 {
		r, ok := evaluate.Find(results, method, "", metric)
		if !ok {
			return math.NaN()
		}
		return float64(r.Value)
	}
	loss := find(evaluate.MethodPPD, evaluate.MetricLogLoss)
	text := fmt.Sprintf("The most probable class is right in %s of the rows",
		percent(find(evaluate.MethodPPD, "accuracy")))
	if always := find(evaluate.BaselineShares, "accuracy"); !math.IsNaN(always) {
		text += fmt.Sprintf(", always predicting the most frequent class in %s", percent(always))
	}
	text += fmt.Sprintf(". The log loss is %.3f", loss)
	better := true
	for _, b := range [][2]string{{evaluate.BaselineLogistic, "logistic regression"},
		{evaluate.BaselineShares, "class shares"}} {
		if other := find(b[0], evaluate.MetricLogLoss); !math.IsNaN(other) {
			text += fmt.Sprintf("; %s: %.3f", b[1], other)
			better = better && loss < other
		}
	}
	all := []string{text + "."}
	if !better {
		all = append(all, "A baseline has a better log loss, so the model is not worth its cost on this "+
			"table.")
	}
	all = append(all, fmt.Sprintf("Predicted probabilities are off by %s on average (calibration "+
		"error).", percent(find(evaluate.MethodPPD, "calibration_error"))))
	m, c, w := narrowest(results, evaluate.AllClasses, e.Asked.Level)
	if m == "" {
		return append(all, fmt.Sprintf("No method's credible intervals of the probabilities contain %s "+
			"of the surrogate truth.", Level(e.Asked.Level)))
	}
	return append(all, fmt.Sprintf("Method %s has the narrowest credible intervals with a coverage "+
		"of at least %s (mean width %.2f, coverage %s of the surrogate truth).", m,
		Level(e.Asked.Level), w, percent(c)))
}
