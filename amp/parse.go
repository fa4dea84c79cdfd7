package amp

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// allowed ends every message about a functional that cannot be read.
const allowed = "allowed: mean, median, q0.9 (level strictly between 0 and 1), " +
	"p>150, p<=150, p(100,150]"

// ParseFunctional reads the text form of a [Functional]:
//
//	mean        Mean
//	median      Quantile 0.5
//	q0.9        Quantile 0.9
//	p>150       Probability of (150, ∞)
//	p<=150      Probability of (-∞, 150]
//	p(100,150]  Probability of (100, 150]
//
// Blanks around the whole and around numbers are ignored. The error of a text that is none of
// these, of a level outside (0, 1) and of a bound that is not finite says what is allowed.
func ParseFunctional(text string) (Functional, error) {
	s := strings.TrimSpace(text)
	fail := func(why string) (Functional, error) {
		return nil, fmt.Errorf("functional %q: %s; %s", text, why, allowed)
	}
	switch {
	case s == "":
		return fail("empty")
	case s == "mean":
		return Mean{}, nil
	case s == "median":
		return Quantile{0.5}, nil
	case s[0] == 'q':
		level, ok := number(s[1:])
		if !ok || (Quantile{level}).check() != nil {
			return fail("no quantile level between 0 and 1")
		}
		return Quantile{level}, nil
	case s[0] == 'p':
		p, why := event(strings.TrimSpace(s[1:]))
		if why != "" {
			return fail(why)
		}
		return p, nil
	}
	return fail("unknown")
}

// event reads what follows the p of a probability; why is empty on success.
func event(s string) (p Probability, why string) {
	if inner, ok := strings.CutPrefix(s, "("); ok {
		inner, closed := strings.CutSuffix(inner, "]")
		a, b, comma := strings.Cut(inner, ",")
		lo, okLo := number(a)
		hi, okHi := number(b)
		switch {
		case !closed || !comma || !okLo || !okHi:
			return p, "not an interval of two numbers, open on the left and closed on the right"
		case !(lo < hi):
			return p, "the lower bound is not below the upper bound"
		}
		return Probability{lo, hi}, ""
	}
	at := AtMost
	rest, ok := strings.CutPrefix(s, "<=")
	if !ok {
		at = Above
		rest, ok = strings.CutPrefix(s, ">")
	}
	t, okT := number(rest)
	switch {
	case strings.HasPrefix(s, "<") && !strings.HasPrefix(s, "<="):
		return p, "use <= for \"at most\""
	case strings.HasPrefix(s, ">="):
		return p, "use > for \"more than\""
	case !ok || !okT:
		return p, "no comparison with a finite number"
	}
	return at(t), ""
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

// ParseFunctionals reads a comma-separated list of functionals; the commas inside p(a,b] belong
// to the event. Besides the errors of [ParseFunctional] it refuses a functional that is listed
// twice.
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
			return nil, fmt.Errorf("functional %q is listed twice", f.String())
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
		case c == ']':
			open = false
		case c == ',' && !open:
			return list[:i], list[i+1:], true
		}
	}
	return list, "", false
}
