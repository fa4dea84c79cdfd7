package report

import (
	"fmt"
	"math"
	"slices"
)

// Predictions is the content of a page about one run of pfnamp predict.
type Predictions struct {
	Title    string
	Answers  *Answers
	Averages []Average // the average over all rows first, differences last
}

// Page makes the page: verdict, averages, rows, widths, and calibration if labels are known.
func (p Predictions) Page() Page {
	a := p.Answers
	answers := p.Averages[:min(1, len(p.Averages))] // over all rows, unless there are differences
	if first := slices.IndexFunc(p.Averages, Average.difference); first >= 0 {
		answers = p.Averages[first:]
	}
	page := Page{Title: p.Title, Verdict: append(a.Sentences(answers), a.Verdict()...)}
	if len(p.Averages) > 0 {
		page.Sections = append(page.Sections, p.averages())
	}
	if a.totals.rows > 0 {
		page.Sections = append(page.Sections,
			Section{Title: "Rows", Text: a.explain(), Rows: a},
			Section{Title: "Interval widths", Chart: a.widthChart(), Text: []string{
				"The narrower an interval, the better the value is known."}})
	}
	if a.totals.Rows > 0 {
		page.Sections = append(page.Sections, a.calibration())
	}
	return page
}

func (a *Answers) explain() []string {
	text := []string{fmt.Sprintf("The credible interval shows where the mean, or another functional "+
		"of the labels at a row, lies. The predictive interval shows where a single label lies; it is "+
		"wider because it includes noise. Each contains its value with probability %s.",
		Level(a.Level))}
	if a.Classes != nil {
		text = []string{fmt.Sprintf("Every class has a probability. The %s credible interval shows how "+
			"well that probability is known.", Level(a.Level))}
	}
	if n := a.totals.rows; n > MaxListed {
		text = append(text, fmt.Sprintf("The page lists and draws %d of %d rows, chosen at random with "+
			"seed %d. Shares, errors and calibration count all rows.", MaxListed, n, a.Seed))
	}
	return append(text, "Click a row, or use the arrow keys in the table, to see its distribution.")
}

// maxHistograms is how many histograms a panel shows at first. A page shows the others when their
// names are pressed.
const maxHistograms = 2

// widthBins is the number of columns of the histograms of widths.
const widthBins = 24

// widthChart draws histograms of interval widths: one panel in units of the target, one for
// probabilities.
func (a *Answers) widthChart() Chart {
	titles := []string{"interval width, in units of " + a.Target, "interval width, as a probability"}
	var names [2][]string
	var widths [2][][]float64
	add := func(panel int, name string, of func(Row) float64) {
		names[panel], widths[panel] = append(names[panel], name), append(widths[panel], a.widths(of))
	}
	if a.Classes != nil {
		add(1, "credible interval of the most probable class", bestWidth)
	} else {
		add(0, "predictive interval", func(r Row) float64 { return r.LabelHi - r.LabelLo })
		for k, name := range a.Functionals {
			add(slices.Index([]bool{false, true}, a.Events[k]), "credible interval of "+name,
				func(r Row) float64 { return r.Estimates[k].Hi - r.Estimates[k].Lo })
		}
	}
	var row []Panel
	for i, title := range titles {
		if names[i] != nil {
			row = append(row, histogram(title, names[i], widths[i]))
		}
	}
	return Chart{Panels: [][]Panel{row}, Alt: "Histograms of interval widths"}
}

// histogram counts values in columns of equal width from 0 to the largest but one in 200.
func histogram(title string, names []string, values [][]float64) Panel {
	most := 0.0
	for _, list := range values {
		if n := len(list); n > 0 {
			most = max(most, list[(n-1)*199/200])
		}
	}
	if most == 0 {
		most = 1
	}
	p := Panel{X: title, Y: "share of rows"}
	for k, name := range names {
		s := Series{Name: name, Mark: Bars, X: make([]float64, widthBins), Y: make([]float64, widthBins)}
		for i := range s.X {
			s.X[i] = (float64(i) + 0.5) / widthBins * most
		}
		for _, v := range values[k] {
			s.Y[int(min(widthBins-1, v/most*widthBins))] += 1 / float64(len(values[k]))
		}
		s.Off = len(p.Series) >= maxHistograms
		p.Series = append(p.Series, s)
	}
	return p
}

// calibration compares the predictions with the labels of the query table.
func (a *Answers) calibration() Section {
	t := &a.totals
	title := fmt.Sprintf("Calibration on %d labels", t.Rows)
	if a.Classes != nil {
		return t.classCalibration(title)
	}
	n := float64(t.Rows)
	cover := Series{Name: "share of labels inside"}
	for i, k := range t.central {
		level := float64(i+1) / 20
		cover.X, cover.Y = append(cover.X, level), append(cover.Y, float64(k)/n)
		cover.Err = append(cover.Err, 2*math.Sqrt(level*(1-level)/n))
	}
	pit := Series{Name: "share of labels by PIT", Mark: Bars}
	for i, k := range t.pit {
		pit.X = append(pit.X, (float64(i)+0.5)/pitBins)
		pit.Y = append(pit.Y, float64(k)/n)
	}
	return Section{Title: title,
		Text: []string{
			"You can trust the intervals if the points follow the dashed line and the histogram is flat.",
			fmt.Sprintf("Points: the share of labels inside the central predictive interval of each level, "+
				"with error bars of two standard errors for %d labels. Histogram: the probability integral "+
				"transform (PIT), which is the predicted probability of a value below the label. If the "+
				"predictions are calibrated, its bars differ by about ± %s by chance.", t.Rows,
				percent(2*math.Sqrt(0.09/n)))},
		Chart: Chart{Alt: title, Panels: [][]Panel{{
			{X: "level of the interval", Y: "share of labels inside", Diagonal: true,
				Range: []float64{0, 1}, Series: []Series{cover}},
			{X: "predicted probability of a value below the label", Y: "share of labels",
				Target: []float64{1.0 / pitBins}, Series: []Series{pit}},
		}}},
	}
}

// classCalibration shows how often the most probable class is right, by its probability.
func (t *totals) classCalibration(title string) Section {
	right := Series{Name: "share of rows where the most probable class is right"}
	for i, n := range t.classes {
		if n == 0 {
			continue
		}
		p := float64(t.classesTrue[i]) / float64(n)
		right.X, right.Y = append(right.X, (float64(i)+0.5)/pitBins), append(right.Y, p)
		right.Err = append(right.Err, 2*math.Sqrt(p*(1-p)/float64(n)))
	}
	most := slices.Max(t.classes[:])
	return Section{Title: title,
		Text: []string{
			"You can trust the probabilities if the points follow the dashed line. Points below the line " +
				"mean that the model is overconfident.",
			fmt.Sprintf("Each point is the share of rows where the most probable class is right, by its "+
				"predicted probability in steps of 0.1, with error bars of two standard errors. The fullest "+
				"step has %s.", counted(most, "row"))},
		Chart: Chart{Alt: title, Panels: [][]Panel{{
			{X: "predicted probability of the most probable class", Y: "share right", Diagonal: true,
				Range: []float64{0, 1}, Series: []Series{right}}}}},
	}
}
