package warning

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/pfnamp/pfnamp/amp"
)

// UnlabelledOf tells of rows of a table that lack the target and are left out. missing is the first
// text that was read as missing, such as NA; "" for none.
func UnlabelledOf(file, target string, left, rows int, missing string) Warning {
	lack, they := "lack", "these rows are"
	if left == 1 {
		lack, they = "lacks", "it is"
	}
	w := New(Unlabelled, target, "%d of %s of %s %s a value of %q: %s left out", left,
		count(rows, "row"), file, lack, target, they)
	if missing != "" {
		w.Values, w.Text = []string{missing}, w.Text+fmt.Sprintf("; %q is read as missing", missing)
	}
	return w
}

// RepeatedOf tells that rows repeat others more often than chance explains, and are left out.
func RepeatedOf(file string, left, rows int) Warning {
	return New(Repeated, "", "%d of %s of %s repeat other rows, features and target, far more than "+
		"chance explains: these duplicate rows are left out", left, count(rows, "row"), file)
}

// SameFeaturesOf tells that rows have the features of other rows more often than chance explains,
// in so many sets of all rows.
func SameFeaturesOf(file string, rows, sets, all int) Warning {
	return New(SameFeatures, "", "%d of %s of %s share their features with other rows, in %s: if a "+
		"set is one thing that was measured several times, the rows are not independent and intervals "+
		"are too narrow", rows, count(all, "row"), file, count(sets, "set"))
}

// PossibleLabelsOf tells of a support that was recognised.
func PossibleLabelsOf(s amp.Support) Warning {
	text := "the target is never"
	switch {
	case s.HasMin && s.HasMax:
		text += fmt.Sprintf(" below %v or above %v", s.Min, s.Max)
	case s.HasMin:
		text += fmt.Sprintf(" below %v", s.Min)
	case s.HasMax:
		text += fmt.Sprintf(" above %v", s.Max)
	default:
		text = "the target is a whole number in every row"
	}
	if s.Whole && (s.HasMin || s.HasMax) {
		text += " and always a whole number"
	}
	text += ": predictions keep to that"
	if s.Whole {
		text += ", so quantiles and predictive intervals are whole numbers"
	}
	return Warning{Kind: PossibleLabels, Text: text}
}

// DroppedLabelsOf tells that so many labels have no drawn row.
func DroppedLabelsOf(file string, labels int) Warning {
	return New(DroppedLabels, "", "%s of %s without a drawn row: not among the classes",
		count(labels, "label"), file)
}

// SingleRowsOf looks for labels that one row has; y are the classes of all rows.
func SingleRowsOf(labels []string, y []float64) (w Warning, found bool) {
	const most = 5
	rows := make([]int, len(labels))
	for _, k := range y {
		rows[int(k)]++
	}
	w.Kind = SingleRows
	for k, n := range rows {
		if n == 1 {
			w.Values = append(w.Values, strconv.Quote(labels[k]))
		}
	}
	listed := w.Values[:min(most, len(w.Values))]
	text := strings.Join(listed, ", ")
	if more := len(w.Values) - len(listed); more > 0 {
		text += fmt.Sprintf(" and %d more", more)
	}
	w.Text = fmt.Sprintf("%d labels are in one row each, and their probabilities rest on that row: %s",
		len(w.Values), text)
	if len(w.Values) == 1 {
		w.Text = "the label " + text + " is in one row only: its probabilities rest on that row"
	}
	return w, w.Values != nil
}

// FewValuesOf looks for codes of classes in a numeric target: 2 to 5 different values, each in 10
// rows on average or more, or the values 0 and 1 alone in 4 rows or more.
func FewValuesOf(y []float64) (w Warning, found bool) {
	const most, each, least = 5, 10, 4
	var values []float64
	for _, v := range y {
		if !slices.Contains(values, v) {
			if values = append(values, v); len(values) > most {
				return w, false
			}
		}
	}
	slices.Sort(values)
	truths := slices.Equal(values, []float64{0, 1}) && len(y) >= least
	if !truths && (len(values) < 2 || len(y) < each*len(values)) {
		return w, false
	}
	for _, v := range values {
		w.Values = append(w.Values, strconv.FormatFloat(v, 'g', -1, 64))
	}
	between := strconv.FormatFloat((values[0]+values[1])/2, 'g', -1, 64)
	w.Kind, w.Text = FewValues, fmt.Sprintf("the target has only the %d values %s and is predicted "+
		"as a number, so probabilities such as p>%s are coarse: if the values are codes of classes, "+
		"use a classifier", len(values), strings.Join(w.Values, ", "), between)
	return w, true
}
