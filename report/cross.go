package report

import (
	"fmt"
	"strings"

	"github.com/pfnamp/pfnamp/evaluate"
)

// CrossEvaluation is the content of a page about a cross-validation of one table.
type CrossEvaluation struct {
	Title    string
	Target   string
	Classes  string            // labels with their numbers of rows, in words; "" for numbers
	Frequent string            // the most frequent label of the predicted rows
	Share    float64           // share of the predicted rows that have Frequent
	Results  []evaluate.Result // over all folds together, see evaluate.Pool
	Outcomes []evaluate.Outcome
	Level    float64 // of predictive intervals, in (0, 1)
	Divided  string  // one or more sentences on how the rows are divided into folds
	How      string  // a sentence with model, seed and settings
}

// Page makes the page: verdict, predictive distributions beside baselines, calibration.
func (e CrossEvaluation) Page() Page {
	lead := []string{e.Divided + " Figures are means over the rows ± two standard errors " +
		"over the folds.", e.How}
	scores := Section{Title: numbersTitle, Table: ScoreTable(e.Results),
		Chart: ReliabilityChart(e.Outcomes), Text: []string{fmt.Sprintf("Errors and widths are in units "+
			"of %s. The model is useful if its errors are smaller than those of ridge regression and of "+
			"the distribution of the labels without features (unconditional).", e.Target)}}
	if e.Classes != "" {
		scores.Title, scores.Text = classesTitle, []string{fmt.Sprintf("%s has %s. The model is useful "+
			"if its errors are smaller than those of logistic regression and of the class shares.",
			e.Target, e.Classes)}
	}
	return Page{Title: e.Title, Verdict: e.Sentences(), Lead: lead, Sections: []Section{scores}}
}

// Sentences says what the figures mean, each beside the baselines.
func (e CrossEvaluation) Sentences() []string {
	if e.Classes != "" {
		return e.classSentences()
	}
	say := e.sayer(evaluate.BaselineRidge, "ridge regression", evaluate.BaselineUnconditional)
	all := []string{
		say("The root mean square error of the predicted mean is #", "rmse", Number,
			"always the mean label"),
		say("The mean absolute error of the predicted median is #", "pinball_0.5", Number,
			"always the median label"),
		say("The CRPS, the error of the whole distribution, is #", "crps", Number, "without features"),
		fmt.Sprintf("%s, and their mean width is %s", strings.TrimSuffix(say("The "+Level(e.Level)+
			" predictive intervals contain # of the labels", "coverage", percent, "without features"), "."),
			say("#", "width", Number, "without features")),
	}
	all[0] = strings.TrimSuffix(all[0], ".") +
		fmt.Sprintf("; R² is %.2f.", e.find(evaluate.MethodPPD, "r2"))
	return e.worth(all, "crps", "CRPS", evaluate.BaselineRidge, "ridge regression")
}

func (e CrossEvaluation) classSentences() []string {
	say := e.sayer(evaluate.BaselineLogistic, "logistic regression", evaluate.BaselineShares)
	nats := func(v float64) string { return fmt.Sprintf("%.3f", v) }
	all := []string{
		fmt.Sprintf("The most probable class is right in %s of the rows (logistic regression: %s; "+
			"always %q: %s).",
			percent(e.find(evaluate.MethodPPD, "accuracy")), percent(e.find(evaluate.BaselineLogistic,
				"accuracy")),
			e.Frequent, percent(e.Share)),
		say("The log loss is # nats", evaluate.MetricLogLoss, nats, "class shares"),
		say("The Brier score is #", "brier", nats, "class shares"),
		say("The AUC of one class against the rest is #", "auc", nats, "class shares"),
	}
	return e.worth(all, evaluate.MetricLogLoss, "log loss", evaluate.BaselineLogistic,
		"logistic regression")
}

// sayer makes a function that words a figure of the model beside the same figure of two baselines.
func (e CrossEvaluation) sayer(first, name, none string) func(
	form, metric string, write func(float64) string, without string) string {
	return func(form, metric string, write func(float64) string, without string) string {
		text := strings.Replace(form, "#", write(e.find(evaluate.MethodPPD, metric)), 1)
		return text + fmt.Sprintf(" (%s: %s; %s: %s).", name, write(e.find(first, metric)), without,
			write(e.find(none, metric)))
	}
}

// worth adds a warning where a baseline is as good as the model.
func (e CrossEvaluation) worth(all []string, metric, title, baseline, name string) []string {
	model, other := e.find(evaluate.MethodPPD, metric), e.find(baseline, metric)
	if other <= model {
		all = append(all, fmt.Sprintf("The %s of %s is at least as good, so the model is not worth its "+
			"cost on this table.", title, name))
	}
	return all
}

func (e CrossEvaluation) find(method, metric string) float64 {
	value, _ := figure(e.Results, method, "", metric)
	return value
}
