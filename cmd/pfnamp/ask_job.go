package main

import (
	"context"
	"errors"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/pfnamp/pfnamp"
	"github.com/pfnamp/pfnamp/cmd/pfnamp/internal/fault"
	"github.com/pfnamp/pfnamp/cmd/pfnamp/internal/stdio"
	"github.com/pfnamp/pfnamp/joint"
)

// askJob is what `predict`, `explain` and `serve` have in common: a model that has read a context,
// and a question. Its methods are its stages, in the order in which they are called.
type askJob struct {
	contextJob
	opt   predictOptions
	start time.Time

	layout    pfnamp.Layout // of the computed columns
	predictor *pfnamp.Predictor
}

// newAskJob starts a job.
func newAskJob(opt predictOptions, std stdio.Streams) askJob {
	j := askJob{opt: opt, start: time.Now(),
		contextJob: contextJob{from: opt.contextOptions, std: std}}
	j.clock.last = j.start
	return j
}

// openTraining reads the training table or the saved state.
func (j *askJob) openTraining(ctx context.Context) error {
	if err := j.open(ctx); err != nil {
		return err
	}
	if err := j.checkTask(ctx); err != nil {
		return err
	}
	j.opt.contextOptions = j.from // a state knows its flags
	return j.completeQuestion()
}

// checkTask refuses what cannot be asked of the model, and leaves the defaults of a classifier to
// the question. It does so again when the target has chosen the model.
func (j *askJob) checkTask(context.Context) error {
	if j.bundle == nil { // the target decides
		return nil
	}
	return j.words().check(&j.opt, j.bundle.Manifest)
}

// completeQuestion fills in the defaults for the schema and names the columns.
func (j *askJob) completeQuestion() (err error) {
	o := &j.opt
	if o.question, err = o.question.Complete(j.schema, j.bundle.Manifest); err != nil {
		return err
	}
	if o.question.Errors && !o.question.Posteriors[0].Chained() {
		return fault.Option("mcse", "needs chains, and the first posterior draws none",
			"drop --mcse, or list a posterior with chains first: --posterior paper,auto")
	}
	if o.question.Posteriors[0] == pfnamp.Auto && len(o.chainFlags) > 0 && !o.joint.asked() &&
		len(o.sets) == 0 &&
		!slices.ContainsFunc(o.question.Posteriors, pfnamp.Posterior.Chained) {
		j.warnf("%s has little effect: chains run only for rows where the learned posterior "+
			"is inconsistent. To run them for every row, add --posterior paper",
			strings.Join(o.chainFlags, ", "))
	}
	j.layout = o.question.Layout(j.schema)
	if o.joint.draws != "" {
		if err := j.words().checkDraws(j.layout.Names); err != nil {
			return err
		}
	}
	j.layout.Prefix, j.layout.Bands = o.prefix, o.joint.bands
	j.layout.Changes = len(o.sets) > 0
	if _, err := parseSets(o.sets, j.schema); err != nil {
		return err
	}
	if o.files[samplesFile] != "" {
		j.layout.Samples = 0
	}
	_, err = j.layout.Columns()
	if err == nil && o.joint.summary != "" {
		err = joint.CheckEffects(j.layout)
	}
	if twice, ok := errors.AsType[*pfnamp.ColumnError](err); ok {
		return j.words().twice(twice, j.from.train, j.schema.TargetName)
	}
	return err
}

// close frees everything.
func (j *askJob) close() {
	if j.predictor != nil {
		j.predictor.Close()
	}
	j.contextJob.close()
}

// ask asks the question, which draws the chains that all rows share. With a saved state, network
// and chains wait for the first rows.
func (j *askJob) ask(ctx context.Context) (err error) {
	ask := j.fitted.Prepare
	if j.state != nil {
		ask = j.fitted.Ask
	}
	if j.predictor, err = ask(ctx, j.opt.question); err != nil {
		return j.questionFailure(ctx, err)
	}
	return nil
}

// noteQuestion says what the answers hold for and what they need.
func (j *askJob) noteQuestion() {
	j.noteConformal()
	for _, note := range extrapolated(j.opt.question, j.bundle.Manifest) {
		j.warnf("%s", note)
	}
}

// prepare asks the question and tells of it.
func (j *askJob) prepare(ctx context.Context) error {
	if err := j.ask(ctx); err != nil {
		return err
	}
	j.noteQuestion()
	return nil
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

// checkOutputs refuses destinations that cannot be written, before anything is read.
func (j *askJob) checkOutputs(ctx context.Context) error {
	o := &j.opt
	for _, path := range []string{o.out, o.plot, o.report, o.summaryJSON} {
		if err := checkDistinct(path, o.train, o.test); err != nil {
			return err
		}
	}
	if err := checkKinds(o.out, o.plot, o.report, o.format); err != nil {
		return err
	}
	if err := o.joint.checkNames(); err != nil {
		return err
	}
	if err := checkTableNames(map[string]string{"--samples-file": o.files[samplesFile]}); err != nil {
		return err
	}
	for _, path := range o.destinations() {
		if path == "" || path == "-" {
			continue
		}
		if info, err := os.Stat(path); err == nil && !info.Mode().IsRegular() && !info.IsDir() {
			continue // a device or a named pipe is opened once
		}
		file, err := createFile(ctx, path)
		if err != nil {
			return fault.Unwritable(path, err)
		}
		if err := file.Abort(); err != nil {
			return fault.Writing(err)
		}
	}
	return nil
}
