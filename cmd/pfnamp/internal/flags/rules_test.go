package flags

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/urfave/cli/v2"

	"github.com/pfnamp/pfnamp/cmd/pfnamp/internal/fault"
)

// refusal is what the checks say of a command line, "" if they take it.
func refusal(t *testing.T, line string) string {
	t.Helper()
	app := program()
	for _, c := range app.Commands {
		c.Action = func(*cli.Context) error { return nil }
	}
	app.ExitErrHandler = func(*cli.Context, error) {}
	words, err := Arrange(app, append([]string{"pfnamp"}, strings.Fields(line)...))
	if err == nil {
		err = app.Run(words)
	}
	if wrong := (*fault.Error)(nil); errors.As(err, &wrong) {
		return wrong.Option + ": " + wrong.Msg + " (" + wrong.Hint + ")"
	}
	if err != nil {
		t.Errorf("%s: %v", line, err)
	}
	return ""
}

// TestChecks: values and combinations that a command does not take are refused, with a remedy.
func TestChecks(t *testing.T) {
	for _, c := range []struct{ line, want string }{
		{"predict --interval hpd --chains 50 --steps 1 --posterior auto,paper", ""},
		{"predict --interval hdp", `interval: --interval "hdp" is not one of equal-tailed, hpd ()`},
		{"predict --decimal ;", `decimal: --decimal ";" is not one of ., ',' ()`},
		{"predict --posterior auto,x", `posterior: --posterior "x" is not one of auto, paper, limit, ` +
			"direct, companion ()"},
		{"predict --posterior auto,auto", `posterior: --posterior lists "auto" twice ()`},
		{"predict --chains 1", "chains: --chains 1 is not between 2 and 16777216 (the " +
			"default is 4000; more chains are more accurate and slower)"},
		{"predict --digits 18", "digits: --digits 18 is not between 1 and 17 ()"},
		{"predict --workers -1", "workers: --workers -1 is less than 0 (drop --workers: the default is " +
			"one per core)"},
		{"predict --chains 1000000 --steps 10000", "chains: --chains 1000000 with --steps 10000 makes " +
			"more than "},
		{"predict --level 90", "level: --level 90 is not between 0 and 1, at most 1-1e-12 (90 % is " +
			"--level 0.9)"},
		{"predict --rho 1.5", "rho: --rho 1.5 is not between 0 and 1 (drop --rho: the default is 0.99 "},
		{"predict --beta 0.5", "beta: --beta 0.5 is not a number above 1/2 (drop --beta"},
		{"predict --joint=", "joint: --joint is empty (name a file, or drop --joint)"},
		{"predict --plot s3://a/b.png", "plot: --plot s3://a/b.png is an address; pfnamp writes only " +
			"files (name a file, and upload it afterwards)"},
		{"predict --model=", ""},
		{"predict --draws 5", "draws: --draws needs --joint (add --joint FILE, or drop --draws)"},
		{"predict --length 5 --set a=1", ""},
		{"predict --length 5", "length: --length needs --joint, --summary, --bands or --set " +
			"(add --joint FILE, --summary FILE, --bands or --set CHANGE, or drop --length)"},
		{"predict --bands --interval hpd", "bands: --bands needs --interval equal-tailed (drop --bands " +
			"or --interval)"},
		{"predict --bands", ""},
		{"predict --chains 50 --posterior direct", "chains: --chains needs chains, and --posterior " +
			"direct draws none (drop one of them)"},
		{"predict --chains 50 --posterior direct,paper", ""},
		{"predict --weights shift --predictive conformal", ""},
		{"predict --weights shift", "weights: --weights needs --predictive conformal (add "},
		{"serve --time a --group b", "group: --group and --time cannot be combined (keep the one that "},
		{"evaluate --folds 3 --splits 2", "folds: --folds is for cross-validation, not for random " +
			"splits (drop --splits and --train-share)"},
		{"evaluate --chains 50", "chains: --chains needs --splits or --train-share (add "},
		{"serve --max-rows 0", "max-rows: --max-rows 0 is less than 1 ()"},
		{"serve --notice -1s", "notice: --notice -1s is negative ()"},
	} {
		got := refusal(t, c.line)
		if c.want == "" && got != "" || !strings.HasPrefix(got, c.want) {
			t.Errorf("%s: %s, want %s", c.line, got, c.want)
		}
	}
}

// TestTable: no command has two rows of one name, every name in a rule is a flag of its commands,
// and a default is a value that the flag takes.
func TestTable(t *testing.T) {
	commands := map[string]bool{}
	var rows []Flag
	for _, s := range all {
		rows = append(rows, s.flags...)
	}
	for _, f := range rows {
		for command := range strings.SplitSeq(f.For, ", ") {
			commands[command] = true
		}
		if text, ok := f.Default.(string); ok && f.Kind == Word && !slices.Contains(f.Values, text) {
			t.Errorf("--%s: the default %q is not a value", f.Name, text)
		}
		if n, ok := f.Default.(int); ok && (n < f.Least || f.Most > 0 && n > f.Most) {
			t.Errorf("--%s: the default %d is out of range", f.Name, n)
		}
		if x, ok := f.Default.(float64); f.Kind == Number && (f.Valid == nil || ok && !f.Valid(x)) {
			t.Errorf("--%s: the default %v is not valid", f.Name, x)
		}
	}
	for command := range commands {
		seen := map[string]bool{}
		for _, f := range of(command) {
			if seen[f.Name] || f.Short != "" && seen[f.Short] {
				t.Errorf("%s has --%s twice", command, f.Name)
			}
			seen[f.Name], seen[f.Short] = true, true
		}
	}
	for _, r := range rules {
		for _, name := range strings.Fields(r.flags + " " + r.needs + " " + r.not) {
			name, _, _ = strings.Cut(name, "=")
			known := r.commands != "" && row(r.commands, name) != nil
			for command := range commands {
				known = known || r.commands == "" && row(command, name) != nil
			}
			if !known {
				t.Errorf("a rule of %q names --%s, which is no flag there", r.flags, name)
			}
		}
	}
}
