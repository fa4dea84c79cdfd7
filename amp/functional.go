package amp

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
)

// Functional is a summary θ(P) of a distribution on the label's scale: [Mean], [Quantile],
// [Probability] or [Shortfall]. AMP computes the posterior of θ at a query row. To add a
// functional, write one file with these methods and add a line to forms.
type Functional interface {
	// String returns the canonical name, the name of the output column: mean, q0.9, p>150.
	String() string
	// Point returns θ(P_0), the functional of the row's PPD itself.
	Point(ppd PPD) float64
	// Unit returns the unit of θ(P).
	Unit() Unit

	// check returns an error if a parameter is out of range.
	check() error
	// engine prepares the posterior under the chains of p.
	engine(ctx context.Context, p *RankPosterior, r *rule, kind Posterior) (engine, error)
	// read returns the posterior that the surface holds.
	read(s *Surface) Marginal
	// supported returns the posterior for a label with a support, from the posterior own, which
	// ignores the support.
	supported(s Support, own Own) Marginal
	// twoPoint returns the posterior of a label with two possible values, from the posterior of the
	// mean.
	twoPoint(s Support, mean Marginal) Marginal
	// level returns the most extreme level of the quantiles that the functional needs, 0.5 if none.
	level() float64
}

// Unit is the unit of a functional's values.
type Unit int

// The units.
const (
	// TargetUnit is the unit of the label: the functional moves and stretches with it.
	TargetUnit Unit = iota
	// ProbabilityUnit has no unit: the functional is between 0 and 1.
	ProbabilityUnit
)

// String returns "target" or "probability".
func (u Unit) String() string {
	if u == ProbabilityUnit {
		return "probability"
	}
	return "target"
}

// decimal returns the shortest text that reads back as v; minus zero is written 0.
func decimal(v float64) string { return strconv.FormatFloat(v+0, 'g', -1, 64) }

// Form describes one kind of functional and how to write it.
type Form struct {
	Texts   []string // an example of every way to write it
	Common  []string // frequent choices that need no value of the label
	Meaning string

	// parse returns nil without a reason if text has another form. It returns nil and the reason if
	// text has this form but is invalid.
	parse func(text string) (f Functional, why string)
}

// forms lists the functionals.
var forms = []Form{
	{[]string{"mean"}, []string{"mean"}, "mean of the label", parseMean},
	{[]string{"median", "q0.9"}, []string{"median", "q0.05", "q0.1", "q0.5", "q0.9", "q0.95"},
		"quantile of the label, of a level between 0 and 1", parseQuantile},
	{[]string{"p>150", "p<=150", "p(100,150]"}, nil, "probability of these values", parseProbability},
	{[]string{"es0.9"}, []string{"es0.9", "es0.95"}, "mean of the values above q0.9", parseShortfall},
}

// Forms lists the kinds of functionals.
func Forms() []Form { return slices.Clone(forms) }

func allowed() string {
	var texts []string
	for _, form := range forms {
		texts = append(texts, form.Texts...)
	}
	return strings.Join(texts, ", ")
}

// ParseFunctional reads the text form of a [Functional]:
//
//	mean        Mean
//	median      Quantile 0.5
//	q0.9        Quantile 0.9
//	p>150       Probability of (150, ∞)
//	p<=150      Probability of (-∞, 150]
//	p(100,150]  Probability of (100, 150]
//	es0.9       Shortfall 0.9
//
// It ignores blanks around the text and around numbers. It fails if the text has none of these
// forms, if a level is outside (0, 1) or if a bound is not finite. The error lists the allowed
// forms.
func ParseFunctional(text string) (Functional, error) {
	s, why := strings.TrimSpace(text), "it is empty"
	if s != "" {
		why = ""
		for _, form := range forms {
			f, wrong := form.parse(s)
			if f != nil {
				return f, nil
			}
			why = cmp.Or(wrong, why)
		}
	}
	if why == "" {
		return nil, fmt.Errorf("%q is not one of %s", text, allowed())
	}
	return nil, fmt.Errorf("%q: %s; allowed: %s", text, why, allowed())
}

// number reads a finite decimal number; -0 is read as 0.
func number(s string) (float64, bool) {
	s = strings.TrimSpace(s)
	if strings.ContainsAny(s, "xX_") {
		return 0, false
	}
	v, err := strconv.ParseFloat(s, 64)
	if err != nil || math.IsInf(v, 0) || math.IsNaN(v) {
		return 0, false
	}
	return v + 0, true
}

// ParseFunctionals reads a comma-separated list of functionals. A comma inside p(a,b] does not
// separate. Besides the errors of [ParseFunctional], it fails if a functional is listed twice.
func ParseFunctionals(list string) (all []Functional, err error) {
	err = eachItem(list, func(item string) (string, error) {
		f, err := ParseFunctional(item)
		if err != nil {
			return "", err
		}
		all = append(all, f)
		return f.String(), nil
	})
	return all, err
}

// eachItem parses the items of a list and refuses one that has the name of another.
func eachItem(list string, parse func(item string) (name string, err error)) error {
	seen := make(map[string]bool)
	for rest, more := list, true; more; {
		var item string
		item, rest, more = cutItem(rest)
		name, err := parse(item)
		if err != nil {
			return err
		}
		if seen[name] {
			return fmt.Errorf("%q is listed twice: list it once", name)
		}
		seen[name] = true
	}
	return nil
}

// cutItem cuts list at the first comma outside parentheses.
func cutItem(list string) (item, tail string, more bool) {
	open := false
	for i, c := range list {
		switch {
		case c == '(':
			open = true
		case c == ']' || c == ')':
			open = false
		case c == ',' && !open:
			return list[:i], list[i+1:], true
		}
	}
	return list, "", false
}

// SettingError reports a field of a [Sampler], a [Spec] or a [PaperSchedule] that is out of range.
type SettingError struct {
	Field string // name of the field; Functional also for a field of the functional
	Msg   string // what is wrong
}

// Error returns the message.
func (e *SettingError) Error() string { return "amp: " + e.Msg }

func settingError(field, format string, args ...any) *SettingError {
	return &SettingError{field, fmt.Sprintf(format, args...)}
}
