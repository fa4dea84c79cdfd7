package report

import (
	"fmt"
	"math"

	"github.com/pfnamp/pfnamp/evaluate"
)

// Evaluation is what a page on the splits of one table says.
type Evaluation struct {
	Title    string
	Cells    []evaluate.Cell
	Outcomes []evaluate.Outcome
	Asked    Asked   // the first functional is drawn
	Rows     int     // of the table
	Share    float64 // of them that the model reads in a split
	Unit     float64 // standard deviation of the target, in whose units scores and widths are
	How      string  // model, seed and settings
}

// Page is the page: verdict, predictive distributions beside baselines, credible intervals, rows.
func (e Evaluation) Page() Page {
	all := evaluate.Results(e.Cells, e.Outcomes)
	averaged := evaluate.Average(all, "split")
	read := int(math.Round(e.Share * float64(e.Rows)))
	page := Page{Title: e.Title, Verdict: e.verdict(averaged), Lead: []string{
		fmt.Sprintf("%s at random: in each the model reads %d of the %d rows (%s) and "+
			"predicts the others. Figures are means ± two standard errors over the splits. Scores "+
			"and widths are in standard deviations of %s (one is %s in its units). R² and "+
			"coverage have no unit, and the width of a probability is one.",
			counted(len(e.Cells), "split"), read, e.Rows, percent(e.Share),
			e.Asked.Target, short(e.Unit)),
		e.How,
	}}
	page.Sections = []Section{
		{Title: "Predictive distribution", Table: PPDTable(averaged),
			Chart: ReliabilityChart(e.Outcomes), Text: []string{
				"The ridge regression and the distribution of the training labels, whatever the " +
					"features, are what a network must beat. Below: the model's own calibration."}},
		{Title: "Credible intervals", Table: IntervalTable(averaged),
			Text: []string{fmt.Sprintf("The aim is a coverage of %g at the smallest width. A credible "+
				"interval is one of a functional of the conditional distribution; covered is a "+
				"surrogate for the truth, the functional which the same model predicts after reading "+
				"the test rows themselves. A bias that both share is invisible here. A predictive "+
				"interval is one of a label.", e.Asked.Level)},
			Chart: TradeChart(all, e.Asked.Level)},
	}
	if f, ok := RowsFigure(e.Outcomes[0], methodsOf(all), Figure{Asked: e.Asked}); ok {
		page.Sections = append(page.Sections, Section{Title: "Rows of the first split", Chart: f,
			Text: []string{"Test rows sorted by prediction, with their labels. The intervals of " +
				"other methods appear when their name is pressed."}})
	}
	return page
}

// verdict says what the figures mean.
func (e Evaluation) verdict(results []evaluate.Result) []string {
	find := func(method, functional, metric string) (value, error float64) {
		r, ok := evaluate.Find(results, method, functional, metric)
		if !ok {
			return math.NaN(), math.NaN()
		}
		return float64(r.Value), 2 * float64(r.SE)
	}
	var all []string
	miss, _ := find(evaluate.MethodPPD, "", "rmse")
	r2, _ := find(evaluate.MethodPPD, "", "r2")
	text := fmt.Sprintf("The mean misses a label by %s (root mean square, in the unit of %s; %s "+
		"standard deviations); R²\u00a0=\u00a0%.2f", short(miss*e.Unit), e.Asked.Target, short(miss), r2)
	if r2 <= 0 {
		text += ", no better than to predict the mean of the labels for every row"
	}
	for _, b := range []string{evaluate.BaselineRidge, evaluate.BaselineUnconditional} {
		if other, _ := find(b, "", "rmse"); !math.IsNaN(other) {
			text += fmt.Sprintf("; %s: %s", b, short(other*e.Unit))
		}
	}
	all = append(all, text+".")
	coverage, off := find(evaluate.MethodPPD, "", "coverage")
	all = append(all, fmt.Sprintf("Predictive intervals of %s hold %s of the labels: %s.",
		percent(e.Asked.Level), margin(coverage, off),
		judge(coverage, off, e.Asked.Level, "too narrow", "wider than need be")))
	for _, f := range FunctionalsOf(results) {
		if m, c, w := narrowest(results, f, e.Asked.Level); m != "" {
			all = append(all, fmt.Sprintf("%s: of the intervals that cover %s of the surrogate truth "+
				"or more, the narrowest are those of %s (%.2f wide on average, coverage %s).", f,
				percent(e.Asked.Level), m, w, percent(c)))
		} else {
			all = append(all, fmt.Sprintf("%s: no method's intervals cover %s of the surrogate truth.",
				f, percent(e.Asked.Level)))
		}
	}
	return all
}

// narrowest is the method with the narrowest intervals among those that cover what they should, ""
// for none.
func narrowest(results []evaluate.Result, functional string, level float64) (
	method string, coverage, width float64,
) {
	for _, m := range methodsOf(results) {
		c, ok := evaluate.Find(results, m, functional, "coverage")
		w, _ := evaluate.Find(results, m, functional, "width")
		if ok && float64(c.Value) >= level && (method == "" || float64(w.Value) < width) {
			method, coverage, width = m, float64(c.Value), float64(w.Value)
		}
	}
	return method, coverage, width
}

// margin writes a share with its margin, where that is known.
func margin(share, off float64) string {
	if math.IsNaN(off) {
		return percent(share)
	}
	return fmt.Sprintf("%s ± %s", percent(share), percent(off))
}

// judge compares a share with what it should be.
func judge(share, off, want float64, low, high string) string {
	switch {
	case math.IsNaN(off):
		return "one split does not tell by how much this varies"
	case share+off < want:
		return low
	case share-off > want:
		return high
	}
	return "calibrated, as far as these splits tell"
}

// counted writes a number with its noun.
func counted(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
