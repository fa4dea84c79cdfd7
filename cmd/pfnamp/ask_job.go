package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/pfnamp/pfnamp"
	"github.com/pfnamp/pfnamp/cmd/pfnamp/internal/fault"
	"github.com/pfnamp/pfnamp/tabular"
)

// askJob is what `predict`, `explain` and `serve` have in common: a model that has read a context,
// and a question. Its methods are its stages, in the order in which they are called.
type askJob struct {
	contextJob
	question   pfnamp.Question // complete when the training table has been read
	given      []string        // flags that were given and mean other things for classes
	chainFlags []string        // flags about chains that were given
	chained    bool            // answers need chains whatever the posterior

	layout    pfnamp.Layout // of the computed columns
	predictor *pfnamp.Predictor
}

// openTraining reads the training table or the saved state, and completes the question.
func (j *askJob) openTraining(ctx context.Context) error {
	if err := j.open(ctx); err != nil {
		return err
	}
	if err := j.checkTask(ctx); err != nil {
		return err
	}
	if err := j.completeQuestion(); err != nil {
		return err
	}
	_, err := j.layout.Columns()
	return j.columnTwice(err)
}

// columnTwice words the refusal of two computed columns of one name, for classes by what TRAIN
// holds; other errors stay as they are.
func (j *askJob) columnTwice(err error) error {
	twice, ok := errors.AsType[*pfnamp.ColumnError](err)
	if !ok || !j.classes() {
		return columnFailure(err)
	}
	return &tabular.Error{File: j.from.train, Column: j.schema.TargetName,
		Msg:  fmt.Sprintf("two labels lead to the same output column %q", twice.Name),
		Hint: "rename one of the labels, for example one that ends in _lo"}
}

// checkTask refuses what cannot be asked of the model, and leaves the defaults of a classifier to
// the question. It does so again when the target has chosen the model.
func (j *askJob) checkTask(context.Context) error {
	if j.bundle == nil { // the target decides
		return nil
	}
	m, q := j.bundle.Manifest, &j.question
	direct := slices.Contains(q.Posteriors, pfnamp.Direct)
	if !j.classes() {
		if direct {
			return pfnamp.CheckDirect(m)
		}
		return nil
	}
	refused := func(what, hint string) error {
		return fault.Wrong(fmt.Sprintf(
			"%s is for numbers, and model %s predicts classes", what, m.Name), hint)
	}
	if slices.Contains(j.given, "functional") {
		return refused("--functional", "drop --functional: the output has the probability of every class")
	}
	if slices.Contains(j.given, "ppd") {
		return refused("--ppd", "drop --ppd: the columns p=LABEL are the distribution of the label; "+
			"--samples 100 draws from it")
	}
	if direct && m.ClassPosterior == nil {
		return refused("--posterior direct", "the posteriors are limit (default) and paper")
	}
	q.Functionals, q.Label = nil, nil
	if !slices.Contains(j.given, "rho") {
		q.Rho = 0
	}
	return nil
}

// completeQuestion fills in the defaults for the schema and lays out the columns.
func (j *askJob) completeQuestion() (err error) {
	if j.question, err = j.question.Complete(j.schema, j.bundle.Manifest); err != nil {
		return err
	}
	q := j.question
	if q.Errors && !q.Posteriors[0].Chained() {
		return fault.Option("mcse", "needs chains, and the first posterior draws none",
			"drop --mcse, or list a posterior with chains first: --posterior paper,auto")
	}
	if q.Posteriors[0] == pfnamp.Auto && len(j.chainFlags) > 0 && !j.chained &&
		!slices.ContainsFunc(q.Posteriors, pfnamp.Posterior.Chained) {
		j.warnf("%s has little effect: chains run only for rows where the learned posterior "+
			"is inconsistent. To run them for every row, add --posterior paper",
			strings.Join(j.chainFlags, ", "))
	}
	j.layout = q.Layout(j.schema)
	return nil
}

// columnFailure words the refusal of a column that comes twice; other errors stay as they are.
func columnFailure(err error) error {
	if twice, ok := errors.AsType[*pfnamp.ColumnError](err); ok {
		return fault.Wrong(fmt.Sprintf("output column %q exists twice", twice.Name),
			"rename computed columns with --prefix, or drop one of the two columns")
	}
	return err
}

// ask asks the question, which draws the chains that all rows share. With a saved state, network
// and chains wait for the first rows.
func (j *askJob) ask(ctx context.Context) (err error) {
	ask := j.fitted.Prepare
	if j.state != nil {
		ask = j.fitted.Ask
	}
	if j.predictor, err = ask(ctx, j.question); err != nil {
		return j.questionFailure(ctx, err)
	}
	return nil
}

// prepare asks the question, and says what the answers hold for and what they need.
func (j *askJob) prepare(ctx context.Context) error {
	if err := j.ask(ctx); err != nil {
		return err
	}
	j.noteQuestion()
	return nil
}

// noteQuestion says what the answers hold for and what they need.
func (j *askJob) noteQuestion() {
	j.noteConformal()
	for _, note := range extrapolated(j.question, j.bundle.Manifest) {
		j.warnf("%s", note)
	}
}

// questionFailure words what is wrong with the question.
func (j *askJob) questionFailure(ctx context.Context, err error) error {
	if wrong := conformalFailure(err, j.from.train); wrong != nil {
		return wrong
	}
	option, ok := errors.AsType[*pfnamp.OptionError](err)
	switch {
	case ok && option.Field == "Label":
		return fault.Option("ppd", option.Msg, "")
	case ok:
		return fault.Wrong(option.Msg, "")
	case fault.Classify(ctx, err).Kind != "failed":
		return err
	}
	return fault.Wrong(strings.TrimPrefix(err.Error(), "amp: "), "")
}

func (j *askJob) close() {
	if j.predictor != nil {
		j.predictor.Close()
	}
	j.contextJob.close()
}
