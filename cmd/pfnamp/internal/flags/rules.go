package flags

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/pfnamp/pfnamp/amp"
	"github.com/pfnamp/pfnamp/cmd/pfnamp/internal/fault"
	"github.com/pfnamp/pfnamp/cmd/pfnamp/internal/words"
)

// rule refuses flags of some commands, all that have them if none is named, unless one of those in
// needs is given, or where one of those in not is given. NAME=VALUE asks for that value, which may
// be the default. Names are separated by spaces.
type rule struct {
	commands, flags, needs, not string
	why, hint                   string // "" for those that follow from the names
}

var rules = []rule{
	{flags: "draws", needs: "joint"},
	{flags: "contrast", needs: "summary"},
	{commands: "predict", flags: "group-by", needs: "summary"},
	{commands: "predict", flags: "length", needs: "joint summary bands set"},
	{flags: "bands", needs: "interval=equal-tailed", hint: "drop --bands or --interval"},
	{commands: "predict", flags: "fail-if", needs: "check"},
	{flags: "weights conformal-by", needs: "predictive=conformal"},
	{commands: "predict", flags: "time", needs: "predictive=conformal"},
	{commands: "predict", flags: "group", needs: "predictive=conformal summary joint bands"},
	{flags: "weights", not: "conformal-by"},
	{flags: "samples-file", needs: "samples"},
	{flags: "ppd samples", not: "predictive=conformal", why: "needs a whole distribution, and " +
		"--predictive conformal has an interval of one level"},
	{flags: "chains steps rho beta preset mcse", not: "posterior=direct",
		why: "needs chains, and --posterior direct draws none"},
	{flags: "chains steps", not: "preset"},
	{flags: "group", not: "time",
		hint: "keep the one that describes future rows: new groups, or later times"},
	{commands: "explain", flags: "group-by", needs: "treatment"},
	{commands: "explain", flags: "effect points", not: "treatment"},
	{commands: "explain", flags: "correlated time", needs: "importance"},
	{commands: "explain", flags: "effect points treatment functional length posterior chains steps " +
		"rho beta preset interval missing", not: "importance",
		why:  "has no effect on --importance, which scores the whole prediction",
		hint: "drop one of them, or run explain twice"},
	{commands: "evaluate", flags: "folds group time", not: "splits train-share",
		why: "is for cross-validation, not for random splits", hint: "drop --splits and --train-share"},
	{commands: "evaluate", flags: "functional bootstrap chains steps", needs: "splits train-share"},
	{commands: "evaluate", flags: "junit", needs: "fail-if"},
	{flags: "tls-cert", needs: "tls-key"},
	{flags: "tls-key", needs: "tls-cert"},
}

// check refuses values and combinations that a command does not take. It runs before the command.
func check(c *cli.Context) error {
	for _, f := range of(Command(c)) {
		if c.IsSet(f.Name) {
			if err := f.check(c); err != nil {
				return err
			}
		}
	}
	for _, r := range rules {
		if r.commands != "" && r.commands != Command(c) {
			continue
		}
		for name := range strings.FieldsSeq(r.flags) {
			if err := r.check(c, name); err != nil {
				return err
			}
		}
	}
	return cmp.Or(checkDraws(c), checkArguments(c))
}

// Command is the name of the command, such as "models show".
func Command(c *cli.Context) string { return strings.TrimPrefix(c.Command.HelpName, "pfnamp ") }

// check refuses a value that the flag does not take.
func (f Flag) check(c *cli.Context) error {
	switch f.Kind {
	case Word, Words:
		return f.checkWords(c.String(f.Name))
	case Whole:
		switch n := c.Int(f.Name); {
		case f.Most > 0 && (n < f.Least || n > f.Most):
			return fault.Option(f.Name, fmt.Sprintf("%d is not between %d and %d", n, f.Least, f.Most),
				f.Hint)
		case n < f.Least:
			return fault.Option(f.Name, fmt.Sprintf("%d is less than %d", n, f.Least), f.Hint)
		}
	case Number:
		x, hint := c.Float64(f.Name), f.Hint
		if share := x / 100; f.Name == "level" && x > 1 && f.Valid(share) {
			hint = fmt.Sprintf("%v %% is --level %v", x, share)
		}
		if !f.Valid(x) {
			return fault.Option(f.Name, fmt.Sprintf("%v %s", x, f.Wrong), hint)
		}
	case Time:
		if d := c.Duration(f.Name); d < 0 {
			return fault.Option(f.Name, fmt.Sprintf("%s is negative", d), f.Hint)
		}
	case File, Output, Column:
		return f.checkName(c.String(f.Name))
	}
	return nil
}

// address is the scheme of an address of the web or of a store.
var address = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9+.-]+://`)

// checkName refuses an empty name, and an output at an address: the program has no way to write to
// it, however often tried.
func (f Flag) checkName(name string) error {
	switch {
	case name == "":
		return fault.Option(f.Name, "is empty", fmt.Sprintf("name a %s, or drop --%s",
			strings.ToLower(f.value()), f.Name))
	case f.Kind == Output && address.MatchString(name):
		return fault.Option(f.Name, name+" is an address; pfnamp writes only files",
			"name a file, and upload it afterwards")
	}
	return nil
}

// checkWords refuses words that are not among the values.
func (f Flag) checkWords(text string) error {
	words := []string{text}
	if f.Kind == Words {
		words = strings.Split(text, ",")
	}
	for i, word := range words {
		words[i] = strings.TrimSpace(word)
		if !slices.Contains(f.Values, words[i]) {
			return fault.Option(f.Name, fmt.Sprintf("%q is not one of %s", words[i],
				strings.ReplaceAll(strings.Join(f.Values, ", "), ", ,", ", ','")), f.Hint)
		}
		if slices.Contains(words[:i], words[i]) {
			return fault.Option(f.Name, fmt.Sprintf("lists %q twice", words[i]), "")
		}
	}
	return nil
}

// check refuses a flag that is given against the rule.
func (r rule) check(c *cli.Context, name string) error {
	if !c.IsSet(name) {
		return nil
	}
	if r.needs != "" && !slices.ContainsFunc(strings.Fields(r.needs), given(c)) {
		var names, typed []string
		for other := range strings.FieldsSeq(r.needs) {
			flag := "--" + strings.Replace(other, "=", " ", 1)
			names = append(names, flag)
			if f := row(Command(c), other); f != nil && f.value() != "" {
				flag += " " + f.value()
			}
			typed = append(typed, flag)
		}
		return fault.Option(name, cmp.Or(r.why, "needs "+words.Either(names, "or")),
			cmp.Or(r.hint, "add "+words.Either(typed, "or")+", or drop --"+name))
	}
	for other := range strings.FieldsSeq(r.not) {
		if other != name && given(c)(other) {
			flag, _, _ := strings.Cut(other, "=")
			return fault.Option(name, cmp.Or(r.why, "and --"+flag+" cannot be combined"),
				cmp.Or(r.hint, "drop one of them"))
		}
	}
	return nil
}

// given tells whether a flag is given, or has the value that a rule asks for.
func given(c *cli.Context) func(string) bool {
	return func(text string) bool {
		name, value, equals := strings.Cut(text, "=")
		if equals {
			return c.String(name) == value
		}
		return c.IsSet(name)
	}
}

// Given returns the values of those flags that are given and differ from their defaults, by name. A
// list without quotes, whose commas divide names, is sorted. A list ends with a comma, so that an
// empty one differs from none.
func Given(c *cli.Context, names ...string) map[string]string {
	values := map[string]string{}
	for _, name := range names {
		text := c.String(name)
		if list := c.StringSlice(name); list != nil {
			if text = strings.Join(list, ","); !strings.Contains(text, `"`) {
				parts := strings.Split(text, ",")
				slices.Sort(parts)
				text = strings.Join(parts, ",")
			}
			text += ","
		}
		if f := row(Command(c), name); c.IsSet(name) && text != fmt.Sprint(f.Default) {
			values[name] = text
		}
	}
	return values
}

// checkDraws refuses more draws of all chains than a posterior holds.
func checkDraws(c *cli.Context) error {
	chains, steps := c.Int("chains"), c.Int("steps")
	if steps == 0 || chains <= amp.MaxRanks/steps {
		return nil
	}
	return fault.Option("chains", fmt.Sprintf("%d with --steps %d makes more than %d draws", chains,
		steps, amp.MaxRanks), fmt.Sprintf("use at most --chains %d, or fewer --steps",
		amp.MaxRanks/steps))
}
