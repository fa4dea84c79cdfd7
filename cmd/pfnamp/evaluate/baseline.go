package evaluate

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"

	"github.com/urfave/cli/v2"

	"github.com/pfnamp/pfnamp/cmd/pfnamp/internal/conditions"
	"github.com/pfnamp/pfnamp/cmd/pfnamp/internal/fault"
	"github.com/pfnamp/pfnamp/evaluate"
	"github.com/pfnamp/pfnamp/internal/atomicfile"
	"github.com/pfnamp/pfnamp/tabular"
)

// gate compares an evaluation with an earlier one, and refuses what has become worse.
type gate struct {
	file       string
	baseline   []evaluate.Result
	conditions []conditions.Condition
}

func (g *gate) parse(c *cli.Context) error {
	g.file = c.String("baseline")
	for _, text := range c.StringSlice("fail-if") {
		found, err := conditions.ParseScore(text, append(evaluate.ScoreNames(false), evaluate.ScoreNames(
			true)...))
		if err != nil {
			return err
		}
		found.Method = cmp.Or(found.Method, evaluate.MethodPPD)
		switch {
		case found.Relative && !found.Change:
			return fault.Option("fail-if", strconv.Quote(text)+": a percentage is relative to the baseline",
				"write + or - before it: 'crps>+2%'")
		case found.Change && g.file == "":
			return fault.Option("fail-if", strconv.Quote(text)+" needs a baseline",
				"name the results.json of an earlier evaluation: --baseline FILE")
		}
		g.conditions = append(g.conditions, found)
	}
	if err := g.read(); err != nil {
		return err
	}
	for _, c := range g.conditions {
		if _, ok := evaluate.Find(g.baseline, c.Method, c.Functional, c.Metric); c.Change && !ok {
			return c.NotInBaseline()
		}
	}
	return nil
}

// checkNames refuses conditions and a baseline that are not about what is evaluated, of numbers or
// of classes, before anything is computed.
func (g *gate) checkNames(classes bool, functionals []string) error {
	names := evaluate.ScoreNames(classes)
	for _, c := range g.conditions {
		switch {
		case c.Method == evaluate.MethodPPD && c.Functional == "" && !slices.Contains(names, c.Metric):
			return conditions.NoScore(c.Text, c.Metric+" for this target", names)
		case c.Functional != "" && !slices.Contains(functionals, c.Functional):
			hint := "this evaluation has " + strings.Join(functionals, ", ")
			if functionals == nil {
				hint = "to score credible intervals, add --splits 10"
			}
			return fault.Option("fail-if", fmt.Sprintf("%q: %s is not evaluated", c.Text, c.Functional),
				hint)
		}
	}
	if g.file != "" && !slices.ContainsFunc(g.baseline, func(r evaluate.Result) bool {
		return r.Method == evaluate.MethodPPD && r.Metric == names[0]
	}) {
		return fault.Option("baseline", fmt.Sprintf("%s has no %s: its target is of another kind",
			g.file, names[0]), "evaluate this table first, with -o FOLDER")
	}
	return nil
}

// otherSetting says in what the baseline was made otherwise, "" where there is none, the folder
// that it lies in does not tell, or nothing differs. Models and versions may: comparing these is
// what it is for.
func (g *gate) otherSetting(now map[string]string) string {
	if g.file == "" {
		return ""
	}
	var before map[string]string
	path := filepath.Join(filepath.Dir(g.file), fault.SettingFile)
	if data, err := os.ReadFile(path); err != nil || json.Unmarshal(data, &before) != nil {
		return ""
	}
	for _, setting := range []map[string]string{before, now} {
		maps.DeleteFunc(setting, func(name, _ string) bool {
			return name == "version" || name == "members" || strings.HasPrefix(name, "model")
		})
	}
	if name, differ := evaluate.OtherSetting(before, now); differ {
		return fmt.Sprintf("%s is %q there and %q now", name, before[name], now[name])
	}
	return ""
}

func (g *gate) read() error {
	if g.file == "" {
		return nil
	}
	data, err := os.ReadFile(g.file)
	if err != nil {
		return &tabular.Error{File: g.file, Err: atomicfile.Cause(err)}
	}
	var measures []evaluate.Measure
	if err := json.Unmarshal(data, &measures); err != nil || len(measures) == 0 ||
		measures[0].Metric == "" {
		return &tabular.Error{File: g.file, Msg: "the file is not the result of an evaluation",
			Hint: "name the results.json in the FOLDER of `pfnamp evaluate DATA -o FOLDER`"}
	}
	for _, m := range measures {
		g.baseline = append(g.baseline, evaluate.Result{Measure: m})
	}
	return nil
}

// print lists the figures of the predictive distribution, which are shown for every evaluation.
func (g *gate) print(out io.Writer, now []evaluate.Result) error {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintf(w, "\nscore\t%s\tnow\tchange\n", g.file)
	for _, m := range now {
		before, ok := evaluate.Find(g.baseline, m.Method, m.Functional, m.Metric)
		if m.Method != evaluate.MethodPPD || m.Metric == "time_s" || !ok {
			continue
		}
		was, change := float64(before.Value), ""
		if was != 0 { // of 0 there is no share
			change = fmt.Sprintf("%+.2g %%", 100*(float64(m.Value)-was)/math.Abs(was))
		}
		fmt.Fprintf(w, "%s\t%.4g\t%.4g\t%s\n", m.Metric, was, float64(m.Value), change)
	}
	return w.Flush()
}
