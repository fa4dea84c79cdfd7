package report

import (
	"bytes"
	"math"
	"strings"
	"testing"

	"github.com/pfnamp/pfnamp/evaluate"
	"github.com/pfnamp/pfnamp/internal/must"
)

// classEvaluation is one of two splits with figures that are known.
func classEvaluation() Evaluation {
	number := func(method, functional, metric string, v float64) evaluate.Measure {
		return evaluate.Measure{Method: method, Functional: functional, Metric: metric,
			Value: evaluate.Number(v), N: 1}
	}
	e := Evaluation{Title: "How well", Classes: "2 classes (no 4, yes 6)",
		Asked: Asked{Target: "label", Level: 0.9}}
	for i, loss := range []float64{0.4, 0.5} {
		e.Cells = append(e.Cells, evaluate.Cell{Params: []evaluate.Param{{Name: "split", Value: i + 1}}})
		e.Outcomes = append(e.Outcomes, evaluate.Outcome{Measures: []evaluate.Measure{
			number("ppd", "", "log_loss", loss), number("ppd", "", "accuracy", 0.8),
			number("ppd", "", "calibration_error", 0.05), number("logistic", "", "log_loss", 0.6),
			number("limit", evaluate.AllClasses, "coverage", 0.95),
			number("limit", evaluate.AllClasses, "width", 0.3),
			number("limit", "p=yes", "coverage", 0.95), number("limit", "p=yes", "width", 0.3),
			number("paper", "p=yes", "coverage", 1), number("paper", "p=yes", "width", 0.6),
		}, Curves: []evaluate.Curve{
			evaluate.Line(evaluate.CurveBins, []float64{0.25, 0.75}, []float64{0, 5}),
			evaluate.Line(evaluate.CurveForecast, []float64{0.25, 0.75}, []float64{math.NaN(), 0.7}),
			evaluate.Line(evaluate.CurveHits, []float64{0.25, 0.75}, []float64{math.NaN(), loss}),
		}})
	}
	return judged(e)
}

// judged has the results of the splits.
func judged(e Evaluation) Evaluation {
	parts := evaluate.Results(e.Cells, e.Outcomes)
	e.Results = evaluate.Average(parts, "split")
	e.Results = append(e.Results, Judge(parts, e.Results, 10, 0.01)...)
	return e
}

func TestClassEvaluationPage(t *testing.T) {
	e := classEvaluation()
	page := e.Page()
	verdict := strings.Join(page.Verdict, "\n")
	must.Hold(t, "verdict", strings.ReplaceAll(verdict, "\u00a0", " "), "right in 80 %",
		"The model is not clearly better than logistic regression: its log loss is 0.450 instead of "+
			"0.600",
		"off by 5 % on average", "all classes: method limit has the narrowest credible intervals",
		"at least 90 % (mean width 0.30")
	if strings.Contains(verdict, "not worth") {
		t.Errorf("the model is better: %s", verdict)
	}
	var text bytes.Buffer
	if err := page.Write(&text); err != nil || !strings.Contains(text.String(), "calibration_error") {
		t.Errorf("error %v", err)
	}
	for i := range e.Outcomes {
		e.Outcomes[i].Measures[0].Value = 0.7
	}
	worse := "is worse than logistic regression, so it is not worth its cost"
	must.Hold(t, "the model is worse", strings.Join(judged(e).Page().Verdict, ""), worse)
}

// The points of all splits are pooled, and columns without any are left out.
func TestClassReliabilityChart(t *testing.T) {
	chart := ReliabilityChart(classEvaluation().Outcomes)
	share, often := chart.Panels[0][0].Series[0], chart.Panels[0][1].Series[0]
	if len(share.X) != 1 || math.Abs(share.X[0]-0.7) > 1e-12 || math.Abs(share.Y[0]-0.45) > 1e-12 ||
		math.Abs(share.Err[0]-2*math.Sqrt(0.45*0.55/5)) > 1e-12 {
		t.Errorf("shares %+v", share)
	}
	if often.Y[0] != 0 || often.Y[1] != 1 {
		t.Errorf("predictions %+v", often)
	}
	e := classEvaluation()
	trade := TradeChart(evaluate.Results(e.Cells, e.Outcomes), 0.9)
	if s := trade.Panels[0][0].Series; len(s) != 2 || len(s[0].X) != 2 || s[0].X[0] != 0.3 ||
		s[0].Y[0] != 0.95 {
		t.Errorf("coverage and width %+v", s)
	}
}
