package evaluate

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/urfave/cli/v2"

	"github.com/pfnamp/pfnamp"
	"github.com/pfnamp/pfnamp/amp"
	"github.com/pfnamp/pfnamp/cmd/pfnamp/internal/fault"
	"github.com/pfnamp/pfnamp/cmd/pfnamp/internal/run"
	"github.com/pfnamp/pfnamp/cmd/pfnamp/internal/stdio"
	"github.com/pfnamp/pfnamp/cmd/pfnamp/internal/words"
	"github.com/pfnamp/pfnamp/evaluate"
	"github.com/pfnamp/pfnamp/models"
	"github.com/pfnamp/pfnamp/pfn"
	"github.com/pfnamp/pfnamp/tabular"
)

const diffHelp = `Both models read the same half of the rows of TABLE, drawn at random with --seed, and
predict the other half. For every functional, diff shows the largest difference of their
point estimates with its row, and the mean absolute difference. Above --tolerance, in standard
deviations of the target (for classes: in probability), the exit status is 6. For two
classifiers diff compares the probabilities of all classes, and halves every class.

   pfnamp models diff default ./exported --on train.csv --target y --tolerance 0.01
   pfnamp models diff classifier ./exported --on train.csv --target label`

// DiffCommand returns the command models diff.
func DiffCommand() *cli.Command {
	return &cli.Command{
		Name: "diff", Usage: "compare what two models predict for the same rows",
		ArgsUsage: "A B", Description: diffHelp,
		Action: func(c *cli.Context) error {
			d, err := parseDiff(c)
			if err != nil {
				return err
			}
			return d.run(c.Context)
		},
	}
}

// difference compares two models on one table.
type difference struct {
	std         stdio.Streams
	from        run.Options // train is the table
	names       [2]string
	functionals []amp.Functional // of a regression
	tolerance   float64          // +Inf for none
	seed        uint64
	parts       [2][]int // rows of the table, from 0: that both models read, that both predict
}

// compared is how far two models are apart on one functional.
type compared struct {
	Functional string          `json:"functional"`
	Largest    evaluate.Number `json:"largest"` // |A - B|
	Row        int             `json:"row"`     // of the table, from 1, where it is largest
	A          evaluate.Number `json:"a"`
	B          evaluate.Number `json:"b"`
	Mean       evaluate.Number `json:"mean"`             // of |A - B|
	Relative   evaluate.Number `json:"largest_relative"` // in standard deviations of the target
}

func parseDiff(c *cli.Context) (*difference, error) {
	d := &difference{std: stdio.Of(c), tolerance: math.Inf(1), seed: c.Uint64("seed")}
	d.names = [2]string{c.Args().Get(0), c.Args().Get(1)}
	if err := d.parseTask(c); err != nil {
		return nil, err
	}
	if !c.IsSet("on") {
		return nil, fault.Option("on", "is missing", "name a table with labels: --on TABLE")
	}
	if c.String("on") == "-" {
		return nil, fault.Option("on", "-: standard input cannot be read twice, once for each model",
			"write the table to a file: --on TABLE")
	}
	if c.IsSet("tolerance") {
		d.tolerance = c.Float64("tolerance")
	}
	var err error
	if d.functionals, err = amp.ParseFunctionals(strings.Join(c.StringSlice("functional"),
		",")); err != nil {
		return nil, fault.Option("functional", err.Error(), "")
	}
	if d.from, err = run.Parse(c); err != nil {
		return nil, err
	}
	d.from.Quiet = true
	return d, d.from.ParseTrain(c.String("on"))
}

// parseTask finds out what both models are for, before anything is read.
func (d *difference) parseTask(c *cli.Context) error {
	var tasks [2]string
	for i, name := range d.names {
		b, err := models.Find(name)
		if err != nil {
			return err
		}
		tasks[i] = b.Manifest.Task
	}
	if tasks[0] != tasks[1] {
		return fault.Wrong(fmt.Sprintf(
			"%s is for %s, and %s for %s: their predictions cannot be compared",
			d.names[0], tasks[0], d.names[1], tasks[1]), "name two models for one task")
	}
	if tasks[0] == models.ClassificationTask && c.IsSet("functional") {
		return forNumbers("both models are classifiers",
			"diff compares the probabilities of all classes")
	}
	return nil
}

// run compares, prints and judges.
func (d *difference) run(ctx context.Context) error {
	var both [2]predicted
	for i, name := range d.names {
		j := &job{Job: run.Job{From: d.from, Std: d.std}}
		j.From.Model = name
		var err error
		both[i], err = d.predict(ctx, j)
		j.Close()
		if err != nil {
			return err
		}
	}
	unit := evaluate.Table{Training: both[1].data}.Unit()
	if unit == 0 { // all are equal
		unit = 1
	}
	var found []compared
	for k, name := range both[0].names {
		if other := slices.Index(both[1].names, name); other >= 0 { // classes have an order by model
			found = append(found, d.compare(both, k, other, unit))
		}
	}
	if err := d.print(found, len(d.parts[1]), len(d.parts[0])); err != nil {
		return fault.Writing(err)
	}
	return d.verdict(found)
}

// predicted is what one model says of some rows of the table.
type predicted struct {
	data   pfn.Training
	asked  []amp.Functional // of classes their probabilities
	names  []string
	points [][]float64 // by functional and row
}

// predict predicts the rows that are asked about from those that a model reads; the first model
// draws both.
func (d *difference) predict(ctx context.Context, j *job) (made predicted, err error) {
	if err = j.Steps(ctx, j.LoadBundle, j.ReadTraining); err != nil {
		return made, err
	}
	classes := j.Training.Task().Classes()
	made.data = j.Training.Data
	if d.parts[0] == nil {
		table := evaluate.Table{Name: "diff", Training: made.data, Classes: classes}
		read, rows, err := evaluate.Setting{Seed: d.seed, Share: 0.5}.Parts(table)
		if err != nil {
			return made, rejected(d.from.Train, err)
		}
		for i, part := range [][]int{read, rows} {
			for _, row := range part {
				d.parts[i] = append(d.parts[i], j.Training.Position(row))
			}
		}
	}
	at, err := d.places(j.Training)
	if err != nil {
		return made, err
	}
	j.From.Read.BatchRows = len(at[1])
	if err := j.OpenModel(ctx); err != nil {
		return made, err
	}
	network := evaluate.Network{Network: j.Model, Classes: len(classes), Values: &amp.Support{}}
	p, err := network.Predict(ctx, made.data.Take(at[0]), made.data.Take(at[1]).X)
	if limit, ok := errors.AsType[*pfn.LimitError](err); ok && limit.What == "rows" {
		return made, &tabular.Error{File: d.from.Train, Limit: true, Msg: limit.Error(),
			Hint: "use a table with fewer rows"}
	}
	if err != nil {
		return made, err
	}
	q := pfnamp.Question{Functionals: d.functionals}
	if j.Classes() { // which the question knows
		q.Functionals = nil
	}
	if q, err = q.Complete(j.Schema, j.Bundle.Manifest); err != nil {
		return made, err
	}
	made.asked, made.names = q.Functionals, q.Names(j.Schema)
	for _, f := range made.asked {
		made.points = append(made.points, evaluate.Points(p, f))
	}
	return made, nil
}

// places are those of the parts in the data of a model, which may have an order of its own.
func (d *difference) places(t *pfnamp.Training) (at [2][]int, err error) {
	place := map[int]int{}
	for i := range t.Data.X.Rows {
		place[t.Position(i)] = i
	}
	for i, part := range d.parts {
		for _, row := range part {
			found, ok := place[row]
			if !ok {
				return at, &tabular.Error{File: d.from.Train, Limit: true,
					Msg: "the models read different rows of the table", Hint: "use a table with fewer rows"}
			}
			at[i] = append(at[i], found)
		}
	}
	slices.Sort(at[0])
	return at, nil
}

// compare finds the largest difference of point estimates of functional k of the first model and
// functional other of the second; unit is the target's standard deviation.
func (d *difference) compare(both [2]predicted, k, other int, unit float64) compared {
	a, b := both[0].points[k], both[1].points[other]
	if both[0].asked[k].Unit() == amp.ProbabilityUnit {
		unit = 1
	}
	c := compared{Functional: both[0].names[k]}
	largest, sum := -1.0, 0.0
	for i := range a {
		apart := math.Abs(a[i] - b[i])
		sum += apart
		if apart > largest || math.IsNaN(apart) {
			largest = apart
			c.A, c.B, c.Row = evaluate.Number(a[i]), evaluate.Number(b[i]), d.parts[1][i]+1
		}
	}
	c.Largest, c.Mean = evaluate.Number(largest), evaluate.Number(sum/float64(len(a)))
	c.Relative = evaluate.Number(largest / unit)
	return c
}

func (d *difference) print(found []compared, predicted, read int) error {
	if d.from.JSON {
		return fault.Writing(stdio.JSON(d.std.Out, found))
	}
	w := tabwriter.NewWriter(d.std.Out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "FUNCTIONAL\tLARGEST DIFFERENCE\tIN SD\tAT ROW\tA\tB\tMEAN DIFFERENCE")
	for _, c := range found {
		fmt.Fprintf(w, "%s\t%.4g\t%.2g\t%d\t%.6g\t%.6g\t%.4g\n", c.Functional,
			float64(c.Largest), float64(c.Relative), c.Row, float64(c.A), float64(c.B), float64(c.Mean))
	}
	if err := w.Flush(); err != nil {
		return err
	}
	return d.std.Lines(fmt.Sprintf("A %s, B %s: %s of %s predicted from the other %d",
		d.names[0], d.names[1], words.Count(predicted, "row"), d.from.Train, read))
}

func (d *difference) verdict(found []compared) error {
	for _, c := range found {
		if !math.IsInf(d.tolerance, 1) && !(float64(c.Relative) <= d.tolerance) {
			return fault.New(fault.Check, fmt.Sprintf("%s and %s differ by %.3g in %s at row %d of %s; the "+
				"tolerance is %g", d.names[0], d.names[1], float64(c.Relative), c.Functional, c.Row,
				d.from.Train, d.tolerance), "")
		}
	}
	return nil
}
