package report

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
)

// Average is the average of every functional over some rows, or the difference of two averages.
type Average struct {
	Name        string
	Plus, Minus string     // the two sides of a difference; "" for an average
	Rows        int        // number of rows averaged; 0 for a difference
	Estimates   []Estimate // by functional
	Above       []float64  // by functional, for a difference: posterior probability that it is above 0
	Draws       int        // number of draws that Above is a share of; 0 if Above is exact
}

// Bounds on the averages that a page shows.
const (
	maxAverageSentences = 6
	maxAverageRows      = 200
)

func (v Average) difference() bool { return v.Plus != "" }

// Sentences describes averages and differences in words, one sentence per functional. After six
// sentences it refers to the table.
func (a Asked) Sentences(averages []Average) (all []string) {
	for _, v := range averages {
		for _, k := range a.Shown(nil) {
			if len(all) == maxAverageSentences {
				return append(all, "The table of averages and differences lists the others.")
			}
			all = append(all, a.sentence(v, k))
		}
	}
	return all
}

// chanceAbove writes the probability that functional k of a difference is above 0. Where all draws
// agree it is a bound: 50 draws cannot tell 0.999 from 1.
func (v Average) chanceAbove(k int) string {
	p, n := v.Above[k], float64(v.Draws)
	if n == 0 || min(p, 1-p)*n >= 1 {
		return Chance(p)
	}
	least := math.Ceil(1000/n) / 1000
	if p < 0.5 {
		return "<" + Number(least)
	}
	return ">" + Number(1-least)
}

// sentence describes functional k: A is above B by 3.1 in the mean (90 % interval 1.0 to 5.2;
// probability 0.99). If the interval of a difference contains 0, its sign is not known.
func (a Asked) sentence(v Average, k int) string {
	e, name, level := v.Estimates[k], a.Functionals[k], Level(a.Level)
	if name == "mean" && v.difference() {
		name = "the mean"
	}
	point, lo, hi := a.figures(k, e)
	switch {
	case !v.difference():
		return fmt.Sprintf("%s, averaged over %s, is %s (%s interval %s to %s).", upper(name),
			counted(v.Rows, "row"), point, level, lo, hi)
	case zero(point) && zero(lo) && zero(hi):
		return fmt.Sprintf("%s and %s do not differ in %s (%s interval %s to %s).",
			v.Plus, v.Minus, name, level, lo, hi)
	case e.Lo <= 0 && e.Hi >= 0:
		if zero(point) { // of -0.0
			point = strings.TrimPrefix(point, "-")
		}
		return fmt.Sprintf("%s shows no clear difference from %s in %s: %s (%s interval %s to %s; "+
			"probability %s that it is above 0).", v.Plus, v.Minus, name, point, level,
			lo, hi, v.chanceAbove(k))
	}
	where := "above"
	if e.Point < 0 {
		where = "below"
		point, lo, hi = a.figures(k, Estimate{Point: -e.Point, Lo: -e.Hi, Hi: -e.Lo})
		v.Above = slices.Clone(v.Above)
		v.Above[k] = 1 - v.Above[k]
	}
	return fmt.Sprintf("%s is %s %s by %s in %s (%s interval %s to %s; probability %s).",
		v.Plus, where,
		v.Minus, point, name, level, lo, hi, v.chanceAbove(k))
}

// zero tells whether a number that was rounded for people reads 0.
func zero(figure string) bool { return strings.Trim(figure, "-0.") == "" }

func (p Predictions) averages() Section {
	s := Section{Title: "Averages and differences", Table: p.Answers.AverageTable(p.Averages),
		Text: []string{fmt.Sprintf("An average over rows is known better than a single row. These %s "+
			"credible intervals include the correlation between rows.", Level(p.Answers.Level))}}
	if len(s.Table.Rows) < len(p.Averages)*len(p.Answers.Shown(nil)) {
		s.Text = append(s.Text, fmt.Sprintf("The page shows the first %d lines, the file of averages "+
			"all.", maxAverageRows))
	}
	return s
}

// AverageTable lists averages and differences, one line per functional, at most 200 lines. Only
// differences have a probability.
func (a Asked) AverageTable(averages []Average) *Table {
	t := &Table{Names: 2, Header: []string{"average over", "functional", "rows", "estimate", "from",
		"to", "probability above 0"}}
	if !slices.ContainsFunc(averages, Average.difference) {
		t.Header = t.Header[:6]
	}
	for _, v := range averages {
		for _, k := range a.Shown(nil) {
			if len(t.Rows) == maxAverageRows {
				return t
			}
			rows, above := strconv.Itoa(v.Rows), ""
			if v.difference() {
				rows, above = "", v.chanceAbove(k)
			}
			point, lo, hi := a.figures(k, v.Estimates[k])
			cells := []string{v.Name, a.Functionals[k], rows, point, lo, hi, above}
			t.Rows = append(t.Rows, cells[:len(t.Header)])
		}
	}
	return t
}
