package warning

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/pfnamp/pfnamp/amp"
)

// Unlabelled tells that rows of the training table lack the target and are left out.
type Unlabelled struct {
	Target     string
	Left, Rows int // left out, and of all
	File       string
	Text       string // the first text that was read as missing, such as NA; "" for none
}

func (w Unlabelled) String() string {
	lack, they := "lack", "these rows are"
	if w.Left == 1 {
		lack, they = "lacks", "it is"
	}
	text := fmt.Sprintf("%d of %s of %s %s a value of %q: %s left out", w.Left, count(w.Rows, "row"),
		w.File, lack, w.Target, they)
	if w.Text != "" {
		text += fmt.Sprintf("; %q is read as missing", w.Text)
	}
	return text
}

// Repeated tells that rows of the training table repeat others, features and target, more often
// than chance explains, and are left out.
type Repeated struct {
	Left, Rows int // left out, and of all
	File       string
}

func (w Repeated) String() string {
	return fmt.Sprintf("%d of %s of %s repeat other rows, features and target, far more than chance "+
		"explains: these duplicate rows are left out", w.Left, count(w.Rows, "row"), w.File)
}

// SameFeatures tells that rows of the training table have the features of other rows more often
// than chance explains: they may measure the same thing several times.
type SameFeatures struct {
	Rows, Sets int // rows with the features of another one, and their different features
	All        int // rows of the table
	File       string
}

func (w SameFeatures) String() string {
	return fmt.Sprintf("%d of %s of %s share their features with other rows, in %s: if a set is "+
		"one thing that was measured several times, the rows are not independent and intervals are "+
		"too narrow", w.Rows, count(w.All, "row"), w.File, count(w.Sets, "set"))
}

// Alone tells that a column of the training table determines the target alone.
type Alone struct{ Column, Target string }

func (w Alone) String() string {
	return fmt.Sprintf("column %q determines %q alone: if it is made from the target, or not known "+
		"of new rows, leave it out", w.Column, w.Target)
}

// PossibleLabels tells that a support was recognised: predictions keep to it.
type PossibleLabels struct{ Support amp.Support }

func (w PossibleLabels) String() string {
	s, text := w.Support, "the target is never"
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
	return text
}

// DrawnRows tells that the context is a random part of the table.
type DrawnRows struct {
	Kept, Rows int
	Seed       uint64
}

func (w DrawnRows) String() string {
	return fmt.Sprintf("the context is %d of these %d rows, drawn at random with seed %d",
		w.Kept, w.Rows, w.Seed)
}

// DroppedLabels tells that no drawn row has some of the labels.
type DroppedLabels struct {
	Count int
	File  string
}

func (w DroppedLabels) String() string {
	return fmt.Sprintf("%s of %s without a drawn row: not among the classes",
		count(w.Count, "label"), w.File)
}

// SingleRows tells that labels are in one row of the context each.
type SingleRows struct {
	Labels []string // in the order of the classes
}

func (w SingleRows) String() string {
	const most = 5
	listed := make([]string, min(most, len(w.Labels)))
	for i := range listed {
		listed[i] = strconv.Quote(w.Labels[i])
	}
	text := strings.Join(listed, ", ")
	if more := len(w.Labels) - len(listed); more > 0 {
		text += fmt.Sprintf(" and %d more", more)
	}
	if len(w.Labels) == 1 {
		return "the label " + text + " is in one row only: its probabilities rest on that row"
	}
	return fmt.Sprintf("%d labels are in one row each, and their probabilities rest on that row: %s",
		len(w.Labels), text)
}

// SingleRowsOf looks for labels that one row has; y are the classes of all rows.
func SingleRowsOf(labels []string, y []float64) (SingleRows, bool) {
	var single []string
	rows := make([]int, len(labels))
	for _, k := range y {
		rows[int(k)]++
	}
	for k, n := range rows {
		if n == 1 {
			single = append(single, labels[k])
		}
	}
	return SingleRows{single}, single != nil
}

// FewValues tells that a numeric target looks like codes of classes: it has 2 to 5 different
// values, each in 10 rows on average or more, or the values 0 and 1 alone in 4 rows or more.
type FewValues struct {
	Values []float64 // ascending
}

func (w FewValues) String() string {
	texts := make([]string, len(w.Values))
	for i, v := range w.Values {
		texts[i] = strconv.FormatFloat(v, 'g', -1, 64)
	}
	between := strconv.FormatFloat((w.Values[0]+w.Values[1])/2, 'g', -1, 64)
	return fmt.Sprintf("the target has only the %d values %s and is predicted as a number, so "+
		"probabilities such as p>%s are coarse: if the values are codes of classes, use a classifier",
		len(w.Values), strings.Join(texts, ", "), between)
}

// FewValuesOf looks for codes of classes in a numeric target.
func FewValuesOf(y []float64) (FewValues, bool) {
	const most, each, least = 5, 10, 4
	if len(y) < least {
		return FewValues{}, false
	}
	var values []float64
	for _, v := range y {
		if !slices.Contains(values, v) {
			if values = append(values, v); len(values) > most {
				return FewValues{}, false
			}
		}
	}
	slices.Sort(values)
	truths := slices.Equal(values, []float64{0, 1})
	return FewValues{values}, truths || len(values) > 1 && len(y) >= each*len(values)
}

// ConstantTarget tells that every interval is one value.
type ConstantTarget struct{}

func (ConstantTarget) String() string {
	return "the target is constant, or varies too little for its size: every interval is one value"
}

// NoFeature tells that every row gets the distribution of the target.
type NoFeature struct{}

func (NoFeature) String() string {
	return "no feature varies: every row gets the distribution of the target"
}
