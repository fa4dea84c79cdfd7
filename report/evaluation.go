package report

import (
	"math"
	"slices"

	"github.com/pfnamp/pfnamp/evaluate"
)

// ReliabilityChart draws the reliability curve and the PIT histogram of predictive distributions
// side by side: means over the splits with bars of two standard errors. Of class probabilities it
// draws how often a class is the label, and how often every probability is predicted.
func ReliabilityChart(outcomes []evaluate.Outcome) Chart {
	if bins := pooledBins(outcomes); bins != nil {
		return classReliability(bins, len(outcomes))
	}
	curve := meanCurve(outcomes, evaluate.CurveReliability)
	curve.Name = "share of labels below the predicted quantile"
	pit := meanCurve(outcomes, evaluate.CurvePIT)
	pit.Name, pit.Mark = "share of rows by PIT", Bars
	return Chart{Alt: "Calibration of the predictive distributions", Panels: [][]Panel{{
		{Title: "reliability", X: "level of the quantile", Y: "share of labels below", Diagonal: true,
			Series: []Series{curve}},
		{Title: "probability integral transform (PIT)", X: "predicted probability of a smaller label",
			Y: "share of rows", Target: []float64{1 / float64(max(1, len(pit.X)))}, Series: []Series{pit}},
	}}, Width: 19, Height: 8}
}

func meanCurve(outcomes []evaluate.Outcome, name string) Series {
	s := Series{}
	var moments []evaluate.Moments
	for _, o := range outcomes {
		c, _ := curve(o, name)
		if len(moments) == 0 {
			moments, s.X = make([]evaluate.Moments, len(c.X)), evaluate.Floats(c.X)
		}
		for i, y := range c.Y {
			moments[i].Add(float64(y))
		}
	}
	for i := range moments {
		s.Y = append(s.Y, moments[i].Mean())
		s.Err = append(s.Err, 2*moments[i].SE())
	}
	return s
}

// TradeChart draws coverage against width, one dot per split and method, one panel per functional;
// of class probabilities one dot per class too, and one panel. Good intervals are on or above the
// dashed line, far left.
func TradeChart(results []evaluate.Result, level float64) Chart {
	empty := Panel{Y: "coverage", Target: []float64{level}, Range: []float64{0, 1.03}}
	if _, classes := evaluate.Find(results, evaluate.MethodPPD, "", evaluate.MetricLogLoss); classes {
		empty.X, empty.Series = "mean width of the interval of a probability", trades(results, "")
		return Chart{Panels: [][]Panel{{empty}}, Width: 12, Height: 8,
			Alt: "Coverage and width of the intervals of class probabilities"}
	}
	var row []Panel
	for _, f := range FunctionalsOf(results) {
		p := empty
		p.Title, p.X, p.Series = f, "mean width, in standard deviations of the target", trades(results, f)
		row = append(row, p)
	}
	return Chart{Panels: [][]Panel{row}, Height: 8, Width: 8.5 * float64(max(2, len(row)))}
}

// trades are coverage and width of a functional by method, or of all classes if it is "".
func trades(results []evaluate.Result, functional string) (all []Series) {
	for _, m := range MethodsOf(results) {
		s := Series{Name: m, Mark: Dots}
		for _, w := range results {
			if w.Method != m || w.Metric != "width" || w.Functional == evaluate.AllClasses ||
				functional != "" && w.Functional != functional {
				continue
			}
			for _, c := range results {
				if c.Method == m && c.Metric == "coverage" && c.Functional == w.Functional &&
					slices.Equal(c.Params, w.Params) {
					s.X, s.Y = append(s.X, float64(w.Value)), append(s.Y, float64(c.Value))
				}
			}
		}
		if s.X != nil {
			all = append(all, s)
		}
	}
	return all
}

// RowsFigure makes a figure of the rows of an outcome, sorted by point estimate: labels, predictive
// intervals, and the credible intervals of methods. A learned posterior comes first. ok is
// false if the outcome lacks one of these curves.
func RowsFigure(o evaluate.Outcome, methods []string, f Figure) (Figure, bool) {
	methods = slices.Clone(methods)
	for _, learned := range []string{evaluate.MethodDirect, evaluate.MethodCompanion} {
		if i := slices.Index(methods, learned); i > 0 {
			methods = slices.Insert(slices.Delete(methods, i, i+1), 0, learned)
		}
	}
	point, okPoint := curve(o, evaluate.CurvePoint)
	predictive, okPredictive := curve(o, evaluate.MethodPPD)
	label, okLabel := curve(o, evaluate.CurveLabel)
	var bands []evaluate.Curve
	for _, m := range methods {
		if band, ok := curve(o, m); ok {
			bands = append(bands, band)
			f.Others = append(f.Others, m)
		}
	}
	if !okPoint || !okPredictive || !okLabel || bands == nil {
		return f, false
	}
	f.Posterior, f.Others = f.Others[0], f.Others[1:]
	for i, y := range point.Y {
		e := Estimate{Point: float64(y), Lo: float64(bands[0].Lo[i]), Hi: float64(bands[0].Hi[i])}
		for _, other := range bands[1:] {
			e.Others = append(e.Others, [2]float64{float64(other.Lo[i]), float64(other.Hi[i])})
		}
		f.Rows = append(f.Rows, Row{At: int64(i + 1), Estimates: []Estimate{e},
			LabelLo: float64(predictive.Lo[i]), LabelHi: float64(predictive.Hi[i]),
			Label: float64(label.Y[i])})
	}
	return f, true
}

func curve(o evaluate.Outcome, name string) (evaluate.Curve, bool) {
	for _, c := range o.Curves {
		if c.Name == name {
			return c, true
		}
	}
	return evaluate.Curve{}, false
}

// classReliability draws how often a class is the label, by its predicted probability, and a
// histogram of these probabilities, over all splits together. Bars are two standard errors for the
// number of labels in one split.
func classReliability(bins []pooledBin, splits int) Chart {
	share := Series{Name: "share of rows with the class"}
	often := Series{Name: "predicted probabilities", Mark: Bars}
	total := 0.0
	for _, b := range bins {
		often.X, often.Y = append(often.X, b.at), append(often.Y, b.n)
		total += b.n
		if b.n == 0 {
			continue
		}
		p := b.hits / b.n
		share.X, share.Y = append(share.X, b.forecast/b.n), append(share.Y, p)
		share.Err = append(share.Err, 2*math.Sqrt(p*(1-p)/b.n*float64(splits)))
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

// pooledBin is a column of the picture over all splits.
type pooledBin struct{ at, n, forecast, hits float64 }

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
