package main

import (
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"

	"github.com/urfave/cli/v2"

	"github.com/pfnamp/pfnamp/cmd/pfnamp/internal/fault"
	"github.com/pfnamp/pfnamp/evaluate"
	"github.com/pfnamp/pfnamp/internal/atomicfile"
	"github.com/pfnamp/pfnamp/tabular"
)

// gate compares an evaluation with an earlier one, and refuses what has become worse.
type gate struct {
	file       string
	baseline   []evaluate.Result
	conditions []condition
}

// condition is a result that is refused, such as crps>+2%: of the figure of that name, a value
// above or below a bound, or a change from the baseline beyond it.
type condition struct {
	text                       string
	method, functional, metric string
	above                      bool
	bound                      float64
	change, relative           bool // from the baseline, in shares of it
}

const gateHint = "for example 'crps>+2%', 'coverage<0.85' or 'paper:mean:width>+0.1'"

var conditionForm = regexp.MustCompile(
	`^\s*(?:([a-z]+):(.*):)?([a-z0-9_.]+)\s*([<>])\s*([+-]?)(\d+\.?\d*(?:e-?\d+)?|\.\d+)\s*(%?)\s*$`)

// parse reads the conditions and the baseline.
func (g *gate) parse(c *cli.Context) error {
	g.file = c.String("baseline")
	for _, text := range c.StringSlice("fail-if") {
		found, err := parseCondition(text, append(evaluate.ScoreNames(false), evaluate.ScoreNames(
			true)...))
		if err != nil {
			return err
		}
		if found.method == "" {
			found.method = evaluate.MethodPPD
		}
		switch {
		case found.relative && !found.change:
			return fault.Option("fail-if", quote(text)+": a percentage is relative to the baseline",
				"write + or - before it: 'crps>+2%'")
		case found.change && g.file == "":
			return fault.Option("fail-if", quote(text)+" needs a baseline",
				"name the results.json of an earlier evaluation: --baseline FILE")
		}
		g.conditions = append(g.conditions, found)
	}
	if err := g.read(); err != nil {
		return err
	}
	for _, c := range g.conditions {
		if _, ok := evaluate.Find(g.baseline, c.method, c.functional, c.metric); c.change && !ok {
			return c.notInBaseline()
		}
	}
	return nil
}

// parseCondition reads a condition about a figure of the names, or of METHOD:FUNCTIONAL:METRIC.
func parseCondition(text string, names []string) (condition, error) {
	parts := conditionForm.FindStringSubmatch(text)
	if parts == nil {
		return condition{}, fault.Option("fail-if", quote(text)+" is not a condition", gateHint)
	}
	found := condition{text: text, method: parts[1], functional: parts[2], metric: parts[3],
		above: parts[4] == ">", change: parts[5] != "", relative: parts[7] == "%"}
	if found.method == "" && !slices.Contains(names, found.metric) {
		return found, noScore(text, found.metric, names)
	}
	found.bound, _ = strconv.ParseFloat(parts[5]+parts[6], 64) // digits only
	if found.relative {
		found.bound /= 100
	}
	return found, nil
}

// beyond tells whether a value is on the wrong side of a bound; one that is not a number is.
func (c condition) beyond(value, bound float64) bool {
	return c.above && !(value <= bound) || !c.above && !(value >= bound)
}

// why says so.
func (c condition) why(value, bound float64) string {
	if math.IsNaN(value) {
		return fmt.Sprintf("%s has no value (--fail-if %s)", c.name(), fault.Shell(c.text))
	}
	side := map[bool]string{true: "above", false: "below"}[c.above]
	return fmt.Sprintf("%s is %.4g, %s %.4g (--fail-if %s)", c.name(), value, side, bound, fault.Shell(
		c.text))
}

// noScore is the error of a condition about a score that is none of the names.
func noScore(text, metric string, names []string) error {
	return fault.Option("fail-if", quote(text)+": there is no score "+metric,
		"use "+strings.Join(names, ", ")+", or METHOD:FUNCTIONAL:METRIC of results.csv")
}

// checkNames refuses conditions and a baseline that are not about what is evaluated, of numbers or
// of classes, before anything is computed.
func (g *gate) checkNames(classes bool, functionals []string) error {
	names := evaluate.ScoreNames(classes)
	for _, c := range g.conditions {
		switch {
		case c.method == evaluate.MethodPPD && c.functional == "" && !slices.Contains(names, c.metric):
			return noScore(c.text, c.metric+" for this target", names)
		case c.functional != "" && !slices.Contains(functionals, c.functional):
			hint := "this evaluation has " + strings.Join(functionals, ", ")
			if functionals == nil {
				hint = "to score credible intervals, add --splits 10"
			}
			return fault.Option("fail-if", fmt.Sprintf("%q: %s is not evaluated", c.text, c.functional),
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

// read reads the baseline.
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

// judge tells of every condition why it holds, "" where it does not.
func (g *gate) judge(now []evaluate.Result) (why []string, err error) {
	for _, c := range g.conditions {
		broken, err := c.broken(now, g.baseline)
		if err != nil {
			return nil, err
		}
		why = append(why, broken)
	}
	return why, nil
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
		fmt.Fprintf(w, "%s\t%.4g\t%.4g\t%+.2g %%\n", m.Metric,
			float64(before.Value), float64(m.Value),
			100*float64(m.Value-before.Value)/math.Abs(float64(before.Value)))
	}
	return w.Flush()
}

// broken says why a condition holds, "" if it does not.
func (c condition) broken(now, baseline []evaluate.Result) (string, error) {
	found, ok := evaluate.Find(now, c.method, c.functional, c.metric)
	if !ok {
		return "", fault.Option("fail-if", fmt.Sprintf("%q: this evaluation has no %s", c.text,
			c.name()), gateHint+"; -o FOLDER and results.csv list all figures")
	}
	value, bound := float64(found.Value), c.bound
	if c.change {
		earlier, ok := evaluate.Find(baseline, c.method, c.functional, c.metric)
		if !ok {
			return "", c.notInBaseline()
		}
		before := float64(earlier.Value)
		if bound = before + c.bound; c.relative {
			bound = before + c.bound*math.Abs(before)
		}
	}
	if c.beyond(value, bound) {
		return c.why(value, bound), nil
	}
	return "", nil
}

// notInBaseline is the error of a condition about a change of something that the baseline lacks.
func (c condition) notInBaseline() error {
	return fault.Option("fail-if", fmt.Sprintf("%q: the baseline has no %s", c.text, c.name()),
		"make the baseline again, with the flags of this command")
}

// name is the figure that a condition is about.
func (c condition) name() string {
	if c.functional == "" && (c.method == evaluate.MethodPPD || c.method == "") {
		return c.metric
	}
	return c.method + ":" + c.functional + ":" + c.metric
}
