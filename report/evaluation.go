package report

import (
	"fmt"

	"github.com/pfnamp/pfnamp/evaluate"
)

// ReliabilityChart shows, side by side, the reliability curve and the PIT histogram of predictive
// distributions, as means over the splits with bars of two standard errors.
func ReliabilityChart(outcomes []evaluate.Outcome) Chart {
	curve := meanCurve(outcomes, evaluate.CurveReliability)
	curve.Name = "share of labels at most the quantile"
	pit := meanCurve(outcomes, evaluate.CurvePIT)
	pit.Name, pit.Mark = "share of rows by P₀(y)", Bars
	return Chart{Panels: [][]Panel{{
		{Title: "reliability", X: "quantile level", Y: "share of labels below", Diagonal: true,
			Series: []Series{curve}},
		{Title: "probability integral transform", X: "P₀(y)", Y: "share of rows",
			Target: []float64{1 / float64(max(1, len(pit.X)))}, Series: []Series{pit}},
	}}, Width: 17, Height: 8}
}

// meanCurve averages a curve over outcomes.
func meanCurve(outcomes []evaluate.Outcome, name string) Series {
	s := Series{}
	var moments []evaluate.Moments
	for _, o := range outcomes {
		for _, c := range o.Curves {
			if c.Name != name {
				continue
			}
			if moments == nil {
				moments, s.X = make([]evaluate.Moments, len(c.X)), floats(c.X)
			}
			for i, y := range c.Y {
				moments[i].Add(float64(y))
			}
		}
	}
	for i := range moments {
		s.Y = append(s.Y, moments[i].Mean())
		s.Err = append(s.Err, 2*moments[i].SE())
	}
	return s
}

// TradeChart shows coverage against width, one dot per split and method, one panel per
// functional: good intervals are on the line, far left.
func TradeChart(results []evaluate.Result, level float64) Chart {
	var row []Panel
	for _, f := range (group{results: results}).functionals() {
		p := Panel{Title: f, X: "mean width / sd of the target", Y: "coverage",
			Target: []float64{level}, Range: []float64{0, 1.03}}
		for _, m := range methodsOf(results) {
			s := Series{Name: m, Mark: Dots}
			for _, g := range groups(results) {
				c, ok := evaluate.Find(g.results, m, f, "coverage")
				w, _ := evaluate.Find(g.results, m, f, "width")
				if ok {
					s.X = append(s.X, float64(w.Value))
					s.Y = append(s.Y, float64(c.Value))
				}
			}
			if s.X != nil {
				p.Series = append(p.Series, s)
			}
		}
		row = append(row, p)
	}
	return Chart{Panels: [][]Panel{row}, Height: 8, Width: 8.5 * float64(max(2, len(row)))}
}

// RowsFigure shows the rows of an outcome sorted by their point estimate, with the credible
// interval of a method and the predictive interval; ok tells whether the outcome has them.
func RowsFigure(o evaluate.Outcome, method string, f Figure) (Figure, bool) {
	point, okPoint := curve(o, evaluate.CurvePoint)
	credible, okCredible := curve(o, method)
	label, okLabel := curve(o, evaluate.MethodPPD)
	if !okPoint || !okCredible || !okLabel {
		return f, false
	}
	for i, y := range point.Y {
		f.Rows = append(f.Rows, Row{Point: float64(y),
			Lo: float64(credible.Lo[i]), Hi: float64(credible.Hi[i]),
			LabelLo: float64(label.Lo[i]), LabelHi: float64(label.Hi[i])})
	}
	return f, true
}

// curve finds a curve of an outcome.
func curve(o evaluate.Outcome, name string) (evaluate.Curve, bool) {
	for _, c := range o.Curves {
		if c.Name == name {
			return c, true
		}
	}
	return evaluate.Curve{}, false
}

// EvaluationPage reports the splits of one table. cells and outcomes are those of the table,
// figure names functional, target and level of the picture of the rows.
func EvaluationPage(
	cells []evaluate.Cell, outcomes []evaluate.Outcome, title string, figure Figure,
) Page {
	all := evaluate.Results(cells, outcomes)
	averaged := evaluate.Average(all, "split")
	page := Page{Title: title, Lead: []string{
		fmt.Sprintf("%d random splits. Figures are means ± two standard errors over the splits; "+
			"widths and scores are in units of the target's standard deviation.", len(cells)),
		"A predictive interval is one of a label. A credible interval is one of a functional of " +
			"the conditional distribution; its coverage is that of a surrogate for the truth, the " +
			"functional which the same model predicts after reading the test rows themselves. A " +
			"bias that both share is invisible here.",
	}}
	page.Sections = []Section{
		{Title: "Predictive distribution", Table: PPDTable(averaged),
			Chart: ReliabilityChart(outcomes)},
		{Title: "Credible intervals", Table: IntervalTable(averaged),
			Text: []string{fmt.Sprintf("The aim is a coverage of %g at the smallest width.",
				figure.Level)},
			Chart: TradeChart(all, figure.Level)},
	}
	for _, method := range methodsOf(all) {
		if f, ok := RowsFigure(outcomes[0], method, figure); ok {
			page.Sections = append(page.Sections, Section{
				Title: fmt.Sprintf("Rows of the first split, %s posterior", method), Chart: f})
		}
	}
	return page
}
