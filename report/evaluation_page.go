package report

import (
	"fmt"
	"math"
	"strings"

	"github.com/pfnamp/pfnamp/evaluate"
)

// Evaluation is the content of a page about random splits of one table.
type Evaluation struct {
	Title    string
	Cells    []evaluate.Cell
	Outcomes []evaluate.Outcome
	Asked    Asked   // of numbers, its first functional is drawn
	Rows     int     // rows of the table
	Read     int     // rows that the model reads in a split
	Share    float64 // share of the rows that the model reads in a split, in (0, 1)
	Unit     float64 // of numbers: the target's standard deviation, in which scores and widths are
	Classes  string  // labels with their numbers of rows, in words; "" for numbers
	How      string  // a sentence with model, seed and settings
}

// Page makes the page: verdict, predictive distributions beside baselines, credible intervals, and
// of numbers the rows of a split.
func (e Evaluation) Page() Page {
	all := evaluate.Results(e.Cells, e.Outcomes)
	averaged := evaluate.Average(all, "split")
	splits := counted(len(e.Cells), "random split")
	scores := Section{Table: ScoreTable(averaged), Chart: ReliabilityChart(e.Outcomes)}
	intervals := Section{Title: "Credible intervals", Table: IntervalTable(averaged),
		Chart: TradeChart(all, e.Asked.Level), Text: []string{fmt.Sprintf(
			"The best intervals have the smallest width among those with a coverage of at least %g.",
			e.Asked.Level)}}
	page := Page{Title: e.Title}
	if e.Classes != "" {
		page.Verdict = e.classVerdict(averaged)
		page.Lead = []string{fmt.Sprintf("%s has %s. In each of %s the model reads %s of the rows of "+
			"every class, %d rows in total, and predicts the others. Figures are means ± two standard "+
			"errors over the splits.", e.Asked.Target, e.Classes, splits, percent(e.Share), e.Read), e.How}
		scores.Title, scores.Text = classesTitle, []string{
			"The model is useful if its errors are smaller than those of the baselines: logistic " +
				"regression, and the shares of the classes in the training rows.",
			"Log loss is the mean of -log of the probability of the label, in nats. The Brier score is " +
				"the sum of squared errors over classes, from 0 to 2. AUC compares " +
				"one class with the rest. The calibration error is the mean distance of the points " +
				"in the picture from the dashed line; chance keeps it above 0 even for calibrated " +
				"probabilities."}
		intervals.Text = append(intervals.Text, "Nobody knows the true probability of a class. Its "+
			"surrogate is the probability that the same model predicts after it reads the test rows too. "+
			surrogateText)
		page.Sections = []Section{scores, intervals}
		return page
	}
	page.Verdict = e.verdict(averaged)
	page.Lead = []string{fmt.Sprintf("In each of %s the model reads %d of the %d rows (%s) and "+
		"predicts the others. Figures are means ± two standard errors over the splits. Scores and "+
		"widths are in standard deviations of %s (1 is %s in its units); R², coverage and the widths of "+
		"probabilities have no unit.", splits, e.Read, e.Rows, percent(e.Share), e.Asked.Target,
		Number(e.Unit)), e.How}
	scores.Title, scores.Text = numbersTitle, []string{
		"The model is useful if its errors are smaller than those of the baselines: ridge " +
			"regression, and the distribution of the training labels without features " +
			"(unconditional).",
		"In the picture, calibrated predictions follow the dashed lines. Right: the histogram of " +
			"the probability integral transform (PIT), the predicted probability of a smaller label."}
	intervals.Text = append(intervals.Text, "A credible interval is about a functional, such as the "+
		"mean at a row, and not about a single label. Nobody knows the true functional. Its surrogate "+
		"is the functional that the same model predicts after it reads the test rows too. "+surrogateText)
	page.Sections = []Section{scores, intervals}
	if f, ok := RowsFigure(e.Outcomes[0], MethodsOf(all), Figure{Asked: e.Asked}); ok {
		page.Sections = append(page.Sections, Section{Title: "Rows of the first split", Chart: f.chart(),
			Text: []string{"Test rows, sorted by prediction, with their labels. Press the name of " +
				"another method to show its intervals."}})
	}
	return page
}

// Titles of the section about scores.
const (
	numbersTitle = "Predictive distribution"
	classesTitle = "Probabilities of the classes"
)

func (e Evaluation) verdict(results []evaluate.Result) []string {
	var all []string
	miss, _ := figure(results, evaluate.MethodPPD, "", "rmse")
	r2, _ := figure(results, evaluate.MethodPPD, "", "r2")
	text := fmt.Sprintf("The predicted mean typically misses a label by %s (root mean square error, "+
		"in units of %s; %s standard deviations; R²\u00a0=\u00a0%.2f)", Number(miss*e.Unit),
		e.Asked.Target, Number(miss), r2)
	if r2 <= 0 {
		text += ", no better than predicting the mean of the labels for every row"
	}
	var baselines []string
	for _, b := range [][2]string{{evaluate.BaselineRidge, "ridge regression"},
		{evaluate.BaselineUnconditional, "the mean label"}} {
		if other, _ := figure(results, b[0], "", "rmse"); !math.IsNaN(other) {
			baselines = append(baselines, b[1]+" misses by "+Number(other*e.Unit))
		}
	}
	all = append(all, strings.Join(append([]string{text}, baselines...), "; ")+".")
	coverage, off := figure(results, evaluate.MethodPPD, "", "coverage")
	found := percent(coverage)
	if !math.IsNaN(off) {
		found += " ± " + percent(off)
	}
	all = append(all, fmt.Sprintf("The %s predictive intervals contain %s of the labels: %s.",
		Level(e.Asked.Level), found,
		judge(coverage, off, e.Asked.Level, "too narrow", "wider than necessary")))
	for _, f := range FunctionalsOf(results) {
		if m, c, w := narrowest(results, f, e.Asked.Level); m != "" {
			all = append(all, fmt.Sprintf("%s: method %s has the narrowest credible intervals with a "+
				"coverage of at least %s (mean width %.2f, coverage %s of the surrogate truth).", f, m,
				Level(e.Asked.Level), w, percent(c)))
		} else {
			all = append(all, fmt.Sprintf("%s: no method's credible intervals contain %s of the surrogate "+
				"truth.", f, Level(e.Asked.Level)))
		}
	}
	return all
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

func judge(share, off, want float64, low, high string) string {
	switch {
	case math.IsNaN(off):
		return "one split cannot show how much this varies"
	case share+off < want:
		return low
	case share-off > want:
		return high
	}
	return "no sign of miscalibration"
}

func counted(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// surrogateText follows the definition of a surrogate.
const surrogateText = "Coverage is the share of credible intervals that contain the surrogate. A " +
	"bias that the model and the surrogate share stays invisible."
