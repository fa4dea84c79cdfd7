package amp

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
)

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

// allowed lists an example of every way to write a functional.
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
func ParseFunctionals(list string) ([]Functional, error) {
	var all []Functional
	seen := make(map[string]bool)
	for rest := list; ; {
		item, tail, more := cutItem(rest)
		f, err := ParseFunctional(item)
		if err != nil {
			return nil, err
		}
		if seen[f.String()] {
			return nil, fmt.Errorf("%q is listed twice: list it once", f.String())
		}
		seen[f.String()] = true
		all = append(all, f)
		if !more {
			return all, nil
		}
		rest = tail
	}
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
