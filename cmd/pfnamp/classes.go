package main

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/memory"
	"github.com/urfave/cli/v2"

	"github.com/pfnamp/pfnamp/amp"
	"github.com/pfnamp/pfnamp/pfn"
	"github.com/pfnamp/pfnamp/tabular"
)

// classColumn is the output column of the most probable class.
const classColumn = "class"

// classFlags are those that a classifier has no use for, and those with another default for it.
type classFlags struct {
	numbers   []string // flags given that are about numbers, or about rows together
	posterior bool     // --posterior or --preset is given
	rho       bool
}

// parseClassFlags notes what matters if the model is a classifier.
func (o *predictOptions) parseClassFlags(c *cli.Context) error {
	for _, name := range []string{
		"functional", "plot", "joint", "draws", "summary", "group-by", "contrast", "bands", "length",
	} {
		if c.IsSet(name) {
			o.classes.numbers = append(o.classes.numbers, name)
		}
	}
	o.classes.posterior = c.IsSet("posterior") || c.IsSet("preset")
	o.classes.rho = c.IsSet("rho")
	return nil
}

// classifier reports whether the bundle predicts classes.
func (j *contextJob) classifier() bool { return j.bundle.Manifest.Classifier() }

// checkTask refuses what cannot be asked of a classifier, and sets its defaults: increments of G_N
// under ρ = 1, with which the order of the classes does not matter.
func (j *predictJob) checkTask(context.Context) error {
	if !j.classifier() {
		return nil
	}
	o, name := &j.opt, j.bundle.Manifest.Name
	refused := func(what, hint string) error {
		return &usageError{hint: hint, msg: fmt.Sprintf(
			"%s cannot be had of classes, and model %s is a classifier", what, name)}
	}
	switch {
	case slices.Contains(o.classes.numbers, "functional"):
		return refused("--functional", "drop it: the probability of every class is written")
	case len(o.classes.numbers) > 0:
		return refused("--"+o.classes.numbers[0], "drop it, or use a model for regression")
	case pictureFormat(o.out) != "":
		return refused("the figure "+o.out, "write a table, such as -o out.csv")
	case o.direct:
		return refused("--posterior direct", "the posteriors are limit (default) and paper")
	}
	if !o.classes.posterior {
		o.posterior = amp.Limit
	}
	if !o.classes.rho {
		o.rho = 1
	}
	return nil
}

// classTarget compares the labels of the training table with the model, after drawContext: those
// of no drawn row are dropped.
func (j *contextJob) classTarget() error {
	labels := j.schema.Labels
	if labels == nil {
		return nil
	}
	classes := make([]int, len(j.training.Y))
	for i, y := range j.training.Y {
		classes[i] = int(y)
	}
	schema := *j.schema
	schema.Labels, j.schema = labels.Subset(classes), &schema
	if err := j.checkClassCount(); err != nil {
		return err
	}
	position := map[string]int{}
	for k, text := range schema.Labels.Texts {
		position[text] = k
	}
	for i, k := range classes {
		j.training.Y[i] = float64(position[labels.Texts[k]])
	}
	if dropped := len(labels.Texts) - len(position); dropped > 0 {
		j.notef("note: %s of %s without a drawn row: not among the classes",
			count(dropped, "label"), j.from.train)
	}
	return nil
}

// checkClassCount refuses too few and too many classes.
func (j *contextJob) checkClassCount() error {
	labels, m := j.schema.Labels, j.bundle.Manifest
	e := &tabular.Error{File: j.from.train, Column: j.schema.TargetName}
	switch n := len(labels.Texts); {
	case n < 2:
		e.Msg = fmt.Sprintf("every row has the label %q", labels.Texts[0])
		if j.drawn != nil {
			e.Msg = fmt.Sprintf("every drawn row has the label %q", labels.Texts[0])
		}
		e.Hint = "there is nothing to tell apart: give rows of at least 2 classes"
		return e
	case n > m.Head.Levels:
		e.Msg = fmt.Sprintf("%d classes: model %s %s tells at most %d apart", n, m.Name, m.Version,
			m.Head.Levels)
		e.Hint = "merge rare classes"
		if labels.Kind == tabular.Numeric {
			e.Hint += ", or predict numbers with a model for regression, such as the embedded one"
		}
		e.Limit = true
		return e
	}
	return nil
}

// checkStateTask refuses a state whose target is not what the model predicts.
func (j *contextJob) checkStateTask() error {
	if (j.schema.Labels != nil) == j.classifier() {
		return nil
	}
	return fmt.Errorf("%s: %w", j.from.train, &pfn.StateError{Other: true, Msg: fmt.Sprintf(
		"the state was made with model %s %s, which has another task than %s",
		j.state.Model, j.state.Version, j.bundle.Manifest.Name)})
}

// checkStateClasses compares the classes of a restored context with the labels of its state.
func (j *contextJob) checkStateClasses() error {
	if j.state == nil || j.schema.Labels == nil ||
		len(j.schema.Labels.Texts) == j.context.Classes() {
		return nil
	}
	return &pfn.StateError{Msg: "not a state that `pfnamp fit` has saved: labels and classes differ"}
}

// nameClasses makes the probability of every class what is asked for.
func (j *predictJob) nameClasses() error {
	labels := j.schema.Labels
	if labels == nil {
		return nil
	}
	j.opt.labels, j.opt.functionals = labels, nil
	for k := range labels.Texts {
		j.opt.functionals = append(j.opt.functionals, amp.Class(k))
	}
	seen := map[string]bool{}
	for _, name := range computedColumns(j.opt) {
		if seen[name] {
			return &tabular.Error{File: j.from.train, Column: j.schema.TargetName,
				Msg:  fmt.Sprintf("two labels give an output column the name %q", name),
				Hint: "rename one of the labels, such as one that ends in _lo"}
		}
		seen[name] = true
	}
	return nil
}

// names are those of what is estimated of every row.
func (o *predictOptions) names() []string {
	names := make([]string, len(o.functionals))
	for i, functional := range o.functionals {
		names[i] = functional.String()
		if o.labels != nil {
			names[i] = "p=" + o.labels.Texts[i]
		}
	}
	return names
}

// estimateClasses predicts the rows of one batch and summarises the posteriors of their class
// probabilities.
func (j *predictJob) estimateClasses(
	ctx context.Context, x pfn.Matrix, summaries []*amp.Summarizer,
) (*result, error) {
	rows, err := j.context.PredictClasses(ctx, x)
	if err != nil {
		return nil, err
	}
	r, ppds := &result{best: make([]int, len(rows))}, make([]amp.PPD, len(rows))
	for i, p := range rows {
		r.best[i] = p.Best()
		if ppds[i], err = amp.NewClasses(p); err != nil {
			return nil, err
		}
	}
	r.estimates, err = estimateRows(ctx, ppds, summaries)
	return r, err
}

// labelType is the type of the column of classes: that of the labels.
func labelType(labels *tabular.Labels) arrow.DataType {
	switch labels.Kind {
	case tabular.Numeric:
		return arrow.PrimitiveTypes.Int64
	case tabular.Boolean:
		return arrow.FixedWidthTypes.Boolean
	}
	return arrow.BinaryTypes.String
}

// labelArray is a column of classes.
func labelArray(labels *tabular.Labels, classes []int) (arrow.Array, error) {
	builder := array.NewBuilder(memory.DefaultAllocator, labelType(labels))
	defer builder.Release()
	for _, k := range classes {
		switch b := builder.(type) {
		case *array.Int64Builder:
			v, err := strconv.ParseInt(labels.Texts[k], 10, 64)
			if err != nil {
				return nil, err
			}
			b.Append(v)
		case *array.BooleanBuilder:
			b.Append(labels.Texts[k] == "true")
		case *array.StringBuilder:
			b.Append(labels.Texts[k])
		}
	}
	return builder.NewArray(), nil
}

// maxListedLabels is how many labels a note lists.
const maxListedLabels = 10

// labelCounts says how many rows every label has.
func labelCounts(labels *tabular.Labels, y []float64) string {
	rows := make([]int, len(labels.Texts))
	for _, k := range y {
		rows[int(k)]++
	}
	var parts []string
	for k, text := range labels.Texts[:min(len(rows), maxListedLabels)] {
		parts = append(parts, fmt.Sprintf("%s %d", text, rows[k]))
	}
	if more := len(rows) - len(parts); more > 0 {
		parts = append(parts, fmt.Sprintf("and %d more", more))
	}
	what := "classes"
	if len(rows) == 1 {
		what = "class"
	}
	return fmt.Sprintf("%d %s (%s)", len(rows), what, strings.Join(parts, ", "))
}
