package main

import (
	"context"
	"errors"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/apache/arrow-go/v18/arrow"

	"github.com/pfnamp/pfnamp"
	"github.com/pfnamp/pfnamp/joint"
	"github.com/pfnamp/pfnamp/report"
	"github.com/pfnamp/pfnamp/tabular"
)

// predictJob is one run of `pfnamp predict`. Its methods are its stages, in
// the order in which runPredict calls them.
type predictJob struct {
	contextJob
	opt   predictOptions
	start time.Time

	queries   queryTable
	layout    pfnamp.Layout // of the computed columns
	predictor *pfnamp.Predictor
	sinks     sinks
	counts    *counters        // one of the sinks
	check     *checkSink       // another one, nil without --check
	labels    testLabels       // of TEST
	files     []finisher       // of the sinks, once all rows are known
	averages  []report.Average // of rows together, once all are known
	whatIf    whatIf           // of rows as they would be
	columns   []arrow.Field    // of the table, none where only a figure or a report is asked for
}

// openTables reads the training table or the saved state and opens the query
// table.
func (j *predictJob) openTables(ctx context.Context) error {
	if err := j.openTraining(ctx); err != nil {
		return err
	}
	return j.openTest(ctx)
}

// openTraining reads the training table or the saved state.
func (j *predictJob) openTraining(ctx context.Context) error {
	if err := j.open(ctx); err != nil {
		return err
	}
	if err := j.checkTask(ctx); err != nil {
		return err
	}
	j.opt.contextOptions = j.from // a state knows its flags
	return j.completeQuestion()
}

// openTest opens the query table.
func (j *predictJob) openTest(ctx context.Context) error {
	j.queries.job, j.queries.opt = &j.contextJob, &j.opt
	return j.queries.open(ctx)
}

// completeQuestion fills in the defaults for the schema and names the columns.
func (j *predictJob) completeQuestion() (err error) {
	o := &j.opt
	if o.question, err = o.question.Complete(j.schema, j.bundle.Manifest); err != nil {
		return err
	}
	if o.question.Errors && !o.question.Posteriors[0].Chained() {
		return &usageError{msg: "--mcse is about the chains of the first posterior, and this model's " +
			"own draws none", hint: "drop it, or begin the list with one that does: --posterior paper,auto"}
	}
	if o.question.Posteriors[0] == pfnamp.Auto && len(o.chainFlags) > 0 && !o.joint.asked() &&
		len(o.sets) == 0 &&
		!slices.ContainsFunc(o.question.Posteriors, pfnamp.Posterior.Chained) {
		j.warnf("%s has little effect: chains run only for rows where the learned posterior "+
			"contradicts itself; --posterior paper runs them for every row",
			strings.Join(o.chainFlags, ", "))
	}
	j.layout = o.question.Layout(j.schema)
	if o.joint.draws != "" {
		if err := j.words().checkDraws(j.layout.Names); err != nil {
			return err
		}
	}
	j.layout.Prefix, j.layout.Bands = o.prefix, o.joint.bands
	if err := j.readSets(); err != nil {
		return err
	}
	if o.samplesFile != "" {
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

// subject is what notes are about.
func (j *predictJob) subject() subject {
	return subject{&j.contextJob, j.opt.test, j.opt.question, j.layout, &j.labels, j.queries.labelled}
}

// prepare draws what all rows share: the chains and the dependence between rows. With a saved
// state, network and chains wait for the first rows.
func (j *predictJob) prepare(ctx context.Context) error {
	ask := j.fitted.Prepare
	if j.state != nil {
		ask = j.fitted.Ask
	}
	var err error
	j.predictor, err = ask(ctx, j.opt.question)
	for _, to := range j.sinks {
		if joint, ok := to.(*together); ok && err == nil {
			err = joint.couple(j.predictor)
		}
	}
	if err == nil {
		j.labels.predictor = j.predictor
		j.subject().noteConformal()
		for _, note := range extrapolated(j.opt.question, j.bundle.Manifest) {
			j.warnf("%s", note)
		}
		return nil
	}
	if wrong := conformalFailure(err, j.from.train); wrong != nil {
		return wrong
	}
	if option, ok := errors.AsType[*pfnamp.OptionError](err); ok && option.Field == "Label" {
		return &usageError{msg: "--ppd " + option.Msg}
	}
	if classify(ctx, err).Kind != "failed" {
		return err
	}
	return &usageError{msg: strings.TrimPrefix(err.Error(), "amp: ")} // a number out of range
}

// predict streams the query table through the model.
func (j *predictJob) predict(ctx context.Context) error {
	progress := j.telling()
	progress.doing, progress.unit, progress.total = "", "rows", j.queries.Rows()
	progress.read = j.queries.Share
	progress.begin()
	defer progress.finish()
	for {
		batch, err := j.queries.Next(ctx)
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		if err := j.predictBatch(ctx, batch); err != nil {
			return err
		}
		progress.count(j.counts.rows)
	}
}

func (j *predictJob) predictBatch(ctx context.Context, batch *tabular.Batch) error {
	if err := j.predictor.Ready(ctx); err != nil {
		return err
	}
	answer, err := j.predictor.Predict(ctx, batch)
	if err != nil {
		return err
	}
	if err := j.whatIf.add(ctx, j.predictor, answer); err != nil {
		return err
	}
	return j.sinks.Add(ctx, batch, answer)
}

// finishSinks tells the sinks that there are no more rows.
func (j *predictJob) finishSinks(ctx context.Context) (err error) {
	if err := j.finishSets(); err != nil {
		return err
	}
	j.files, err = j.sinks.Finish(ctx)
	return err
}

// finish makes the outputs appear and says what was done.
func (j *predictJob) finish(context.Context) error {
	if err := commitTogether(j.files...); err != nil {
		return err
	}
	if j.opt.plot != "" && j.counts.rows == 0 {
		j.warnf("%s: there is no row to draw, %s is not written", j.opt.test, j.opt.plot)
	}
	j.counts.noteScores()
	j.noteSummary()
	return nil
}

// close frees everything; after finish nothing is left to discard.
func (j *predictJob) close() {
	j.closeTable()
	if j.predictor != nil {
		j.predictor.Close()
	}
	j.contextJob.close()
}

// closeTable frees what belongs to the query table.
func (j *predictJob) closeTable() {
	j.sinks.Discard()
	if j.queries.Reader != nil {
		j.queries.Close()
	}
}
