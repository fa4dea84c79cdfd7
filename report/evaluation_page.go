package report

import (
	"fmt"
	"math"
	"strings"

	"github.com/pfnamp/pfnamp/evaluate"
)

// Evaluation is the content of a page about one table, by random splits or by cross-validation.
type Evaluation struct {
	Title    string
	Cells    []evaluate.Cell
	Outcomes []evaluate.Outcome
	Results  []evaluate.Result // of all splits or folds together, with those of Judge
	Asked    Asked             // of numbers, its first functional is drawn
	Unit     float64           // of numbers: the unit of scores and widths, in that of the target
	Labels   int               // rows that are predicted, each counted once
	Classes  string            // labels with their numbers of rows, in words; "" for numbers
	Lead     []string          // how the rows are divided, and what the figures are
}

// baselineNames are those of baselines in sentences.
var baselineNames = map[string]string{
	evaluate.BaselineRidge: "ridge regression", evaluate.BaselineLogistic: "logistic regression",
	evaluate.BaselineUnconditional: "predictions without features",
	evaluate.BaselineShares:        "the shares of the classes",
}

// Page makes the page: verdict, predictive distributions beside baselines, calibration, and of
// splits the credible intervals and, of numbers, the rows of the first one.
func (e Evaluation) Page() Page {
	scores := Section{Title: "Predictive distribution", Table: ScoreTable(e.Results)}
	for _, score := range scoresOf(e.Results) {
		scores.List = append(scores.List, score[0]+": "+score[1])
	}
	calibration := Section{Title: "Calibration", Chart: ReliabilityChart(e.Outcomes), Text: []string{
		"Calibrated predictions follow the dashed lines. Right: the histogram of the probability " +
			"integral transform (PIT), the predicted probability of a smaller label."}}
	if e.Classes != "" {
		scores.Title = "Probabilities of the classes"
		calibration.Text = []string{"Calibrated probabilities are on the dashed line."}
	}
	page := Page{Title: e.Title, Verdict: e.verdict(), Lead: e.Lead,
		Sections: []Section{scores, calibration}}
	all := evaluate.Results(e.Cells, e.Outcomes)
	methods := MethodsOf(all)
	if methods == nil { // of a cross-validation
		return page
	}
	about := []string{"A credible interval is about a functional, such as the mean at a row or the " +
		"probability of a class, and not about a single label. Nobody knows its true value. The " +
		"surrogate is what the same model predicts after it reads the test rows too.",
		"coverage: share of intervals that contain the surrogate, which may share the model's bias",
		"width: mean width of the credible intervals; the best have the smallest among those with a " +
			"coverage of at least " + Level(e.Asked.Level),
		"method: paper and limit draw chains, direct is the posterior that the network has learned, " +
			"companion that of an embedded one, and bootstrap lets the model read resampled rows"}
	page.Sections = append(page.Sections, Section{Title: "Credible intervals",
		Table: IntervalTable(e.Results), Chart: TradeChart(all, e.Asked.Level),
		List: about})
	if f, ok := RowsFigure(e.Outcomes[0], methods, Figure{Asked: e.Asked}); ok {
		page.Sections = append(page.Sections, Section{Title: "Rows of the first split", Chart: f.chart(),
			Text: []string{"Test rows, sorted by prediction, with their labels. Press the name of " +
				"another method to show its intervals."}})
	}
	return page
}

// verdict says what the figures mean: is the model better than its baselines, do the intervals hold
// what they promise, how large are the errors?
func (e Evaluation) verdict() (all []string) {
	level := Level(e.Asked.Level)
	if e.Classes != "" {
		nats := func(v float64) string { return fmt.Sprintf("%.3f", v) }
		all = append(e.gains(evaluate.MetricLogLoss, "log loss", nats),
			e.beside("The most probable class is right in # of the rows", "accuracy", percent),
			e.beside("The Brier score is #", "brier", nats),
			e.beside("The AUC of one class against the rest is #", "auc", nats),
			fmt.Sprintf("Predicted probabilities are off by %s on average (calibration error).",
				percent(e.find(evaluate.MethodPPD, "calibration_error"))))
	} else {
		all = append(e.gains("crps", "CRPS", e.number), e.coverage(),
			e.beside("Their mean width is #", "width", e.number),
			fmt.Sprintf("%s R² is %.2f.", e.beside("The root mean square error of the predicted mean is #",
				"rmse", e.number), e.find(evaluate.MethodPPD, "r2")),
			e.beside("The mean absolute error of the predicted median is #", "pinball_0.5", e.number))
	}
	for _, f := range FunctionalsOf(e.Results) {
		if e.Classes != "" && f != evaluate.AllClasses {
			continue
		}
		text := "no method's credible intervals contain " + level + " of the surrogate truth"
		if m, c, w := narrowest(e.Results, f, e.Asked.Level); m != "" {
			text = fmt.Sprintf("method %s has the narrowest credible intervals with a coverage of at least "+
				"%s (mean width %.2f, coverage %s of the surrogate truth)", m, level, w, percent(c))
		}
		all = append(all, f+": "+text+".")
	}
	return all
}

// gains compares the model with each baseline, by the intervals of Judge.
func (e Evaluation) gains(metric, title string, write func(float64) string) (all []string) {
	model := write(e.find(evaluate.MethodPPD, metric))
	for _, b := range predictorsOf(e.Results, metric)[1:] {
		below := metric + "_below_" + b
		gain, lo, hi := e.find(evaluate.MethodPPD, below), e.find(evaluate.MethodPPD, below+"_lo"),
			e.find(evaluate.MethodPPD, below+"_hi")
		figures := fmt.Sprintf("its %s is %s instead of %s", title, model, write(e.find(b, metric)))
		between := "95 % interval of the difference " + write(lo) + " to " + write(hi)
		text := "The model is better than #: " + figures + " (" + between + ")."
		switch {
		case math.IsNaN(lo):
			text = "One split cannot show whether the model is better than #: " + figures + "."
		case gain <= 0:
			text = fmt.Sprintf("The model is %s than #, so it is not worth its cost on this table: %s (%s).",
				map[bool]string{true: "worse", false: "not better"}[hi < 0], figures, between)
		case lo <= 0:
			text = "The model is not clearly better than #: " + figures + ", which may be chance (" +
				between + ")."
		}
		all = append(all, strings.Replace(text, "#", baselineNames[b], 1))
	}
	return all
}

func (e Evaluation) coverage() string {
	share, level := e.find(evaluate.MethodPPD, "coverage"), e.Asked.Level
	between := span{e.find(evaluate.MethodPPD, "coverage_lo"), e.find(evaluate.MethodPPD,
		"coverage_hi"), e.Labels}
	return fmt.Sprintf("The %s predictive intervals contain %s of %s (%s): %s.", Level(level),
		percent(share), counted(e.Labels, "label"), between, between.against(level, "too narrow; "+
			"`pfnamp predict --predictive conformal` widens them as far as they need",
			"wider than necessary"))
}

// beside words a figure of the model, in the place of #, beside those of the baselines.
func (e Evaluation) beside(form, metric string, write func(float64) string) string {
	var others []string
	for _, r := range e.Results {
		if name := baselineNames[r.Method]; name != "" && r.Metric == metric {
			others = append(others, name+": "+write(float64(r.Value)))
		}
	}
	text := strings.Replace(form, "#", write(e.find(evaluate.MethodPPD, metric)), 1)
	return text + " (" + strings.Join(others, "; ") + ")."
}

// number writes a score in the unit of the target.
func (e Evaluation) number(v float64) string { return Number(v * e.Unit) }

func (e Evaluation) find(method, metric string) float64 {
	if r, ok := evaluate.Find(e.Results, method, "", metric); ok {
		return float64(r.Value)
	}
	return math.NaN()
}

// narrowest is the method with the narrowest intervals among those with a coverage of at least
// level, "" for none.
func narrowest(results []evaluate.Result, functional string, level float64) (
	method string, coverage, width float64,
) {
	for _, m := range MethodsOf(results) {
		c, ok := evaluate.Find(results, m, functional, "coverage")
		w, _ := evaluate.Find(results, m, functional, "width")
		if ok && float64(c.Value) >= level && (method == "" || float64(w.Value) < width) {
			method, coverage, width = m, float64(c.Value), float64(w.Value)
		}
	}
	return method, coverage, width
}

func counted(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
