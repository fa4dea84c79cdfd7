package run

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

// AskJob is what `predict`, `explain` and `serve` have in common: a model that has read a context,
// and a question. Its methods are its stages, in the order in which they are called.
type AskJob struct {
	Job
	Question   pfnamp.Question // complete when the training table has been read
	Given      []string        // flags that were given and mean other things for classes
	chainFlags []string        // flags about chains that were given
	Chained    bool            // answers need chains whatever the posterior

	Layout    pfnamp.Layout // of the computed columns
	Predictor *pfnamp.Predictor
}

// OpenTraining reads the training table or the saved state, and completes the question.
func (j *AskJob) OpenTraining(ctx context.Context) error {
	if err := j.Open(ctx); err != nil {
		return err
	}
	if err := j.CheckTask(ctx); err != nil {
		return err
	}
	if err := j.completeQuestion(); err != nil {
		return err
	}
	_, err := j.Layout.Columns()
	return j.ColumnTwice(err)
}

// ColumnTwice words the refusal of two computed columns of one name, for classes by what TRAIN
// holds; other errors stay as they are.
func (j *AskJob) ColumnTwice(err error) error {
	twice, ok := errors.AsType[*pfnamp.ColumnError](err)
	if !ok || !j.Classes() {
		return ColumnFailure(err)
	}
	return &tabular.Error{File: j.From.Train, Column: j.Schema.TargetName,
		Msg:  fmt.Sprintf("two labels lead to the same output column %q", twice.Name),
		Hint: "rename one of the labels, for example one that ends in _lo"}
}

// CheckTask refuses what cannot be asked of the model, and leaves the defaults of a classifier to
// the question. It does so again when the target has chosen the model.
func (j *AskJob) CheckTask(context.Context) error {
	if j.Bundle == nil { // the target decides
		return nil
	}
	m, q := j.Bundle.Manifest, &j.Question
	refused := func(what, hint string) error {
		return fault.Wrong(fmt.Sprintf(
			"%s is for numbers, and model %s predicts classes", what, m.Name), hint)
	}
	if j.Classes() && slices.Contains(j.Given, "functional") {
		return refused("--functional", "drop --functional: the output has the probability of every class")
	}
	if j.Classes() && slices.Contains(j.Given, "ppd") {
		return refused("--ppd", "drop --ppd: the columns p=LABEL are the distribution of the label; "+
			"--samples 100 draws from it")
	}
	for _, p := range q.Posteriors {
		if err := pfnamp.CheckLearned(p, m); err != nil {
			return err
		}
	}
	if !j.Classes() {
		return nil
	}
	q.Functionals, q.Label = nil, nil
	if !slices.Contains(j.Given, "rho") {
		q.Rho = 0
	}
	return nil
}

// completeQuestion fills in the defaults for the schema and lays out the columns.
func (j *AskJob) completeQuestion() (err error) {
	if j.Question, err = j.Question.Complete(j.Schema, j.Bundle.Manifest); err != nil {
		return err
	}
	q := j.Question
	if q.Errors && !q.Posteriors[0].Chained() {
		return fault.Option("mcse", "needs chains, and the first posterior draws none",
			"drop --mcse, or list a posterior with chains first: --posterior paper,auto")
	}
	if q.Posteriors[0] == pfnamp.Auto && len(j.chainFlags) > 0 && !j.Chained &&
		!slices.ContainsFunc(q.Posteriors, pfnamp.Posterior.Chained) {
		j.Warnf("%s has little effect: chains run only for rows where the learned posterior "+
			"is inconsistent. To run them for every row, add --posterior paper",
			strings.Join(j.chainFlags, ", "))
	}
	j.Layout = q.Layout(j.Schema)
	return nil
}

// ColumnFailure words the refusal of a column that comes twice; other errors stay as they are.
func ColumnFailure(err error) error {
	if twice, ok := errors.AsType[*pfnamp.ColumnError](err); ok {
		return fault.Wrong(fmt.Sprintf("output column %q exists twice", twice.Name),
			"rename computed columns with --prefix, or drop one of the two columns")
	}
	return err
}

// Prepare asks the question, which draws the chains that all rows share, and says what the answers
// hold for and what they need. With a saved state, network and chains wait for the first rows.
func (j *AskJob) Prepare(ctx context.Context) (err error) {
	ask := j.Fitted.Prepare
	if j.State != nil {
		ask = j.Fitted.Ask
	}
	if j.Predictor, err = ask(ctx, j.Question); err != nil {
		return j.QuestionFailure(ctx, err)
	}
	j.noteConformal()
	j.noteCompanion()
	for _, note := range extrapolated(j.Question, j.Bundle.Manifest.Learned()) {
		j.Warnf("%s", note)
	}
	return nil
}

// QuestionFailure words what is wrong with the question.
func (j *AskJob) QuestionFailure(ctx context.Context, err error) error {
	if wrong := conformalFailure(err, j.From.Train); wrong != nil {
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

// Close frees everything.
func (j *AskJob) Close() {
	if j.Predictor != nil {
		j.Predictor.Close()
	}
	j.Job.Close()
}
