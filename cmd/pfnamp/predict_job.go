package main

import (
	"context"
	"errors"
	"io"

	"github.com/pfnamp/pfnamp/tabular"
)

// predictJob is one run of `pfnamp predict`: a source, the query table, a predictor, which answers,
// and sinks, which take the answers. Its methods are its stages, in the order in which runPredict
// calls them.
type predictJob struct {
	askJob
	queries queryTable
	labels  testLabels // of TEST
	sinks   sinks
	counts  *counters // the last of the sinks
}

// openTables reads the training table or the saved state and opens the query
// table.
func (j *predictJob) openTables(ctx context.Context) error {
	if err := j.openTraining(ctx); err != nil {
		return err
	}
	return j.openTest(ctx)
}

// openTest opens the query table.
func (j *predictJob) openTest(ctx context.Context) error {
	j.queries.job, j.queries.opt = &j.contextJob, &j.opt
	return j.queries.open(ctx)
}

// subject is what notes are about.
func (j *predictJob) subject() subject {
	return subject{&j.contextJob, j.opt.test, j.opt.question, j.layout, &j.labels, j.queries.labelled}
}

// prepare draws what all rows share: the chains and the dependence between rows.
func (j *predictJob) prepare(ctx context.Context) error {
	if err := j.ask(ctx); err != nil {
		return err
	}
	j.labels.predictor = j.predictor
	if c, ok := sinkOf[*together](j.sinks); ok {
		if err := c.couple(j.predictor); err != nil {
			return j.questionFailure(ctx, err)
		}
	}
	j.noteQuestion()
	return nil
}

// predict streams the query table through the model.
func (j *predictJob) predict(ctx context.Context) error {
	working := j.telling()
	working.Doing, working.Unit, working.Total = "", "rows", j.queries.Rows()
	working.Read = j.queries.Share
	working.Begin()
	defer working.Finish()
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
		working.Count(j.counts.rows)
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
	return j.sinks.Add(ctx, batch, answer)
}

// finish tells the sinks that there are no more rows, makes the outputs appear and says what was
// done.
func (j *predictJob) finish(ctx context.Context) error {
	files, err := j.sinks.Finish(ctx)
	if err != nil {
		return err
	}
	if err := j.clock.lap("predict")(ctx); err != nil {
		return err
	}
	if err := commitTogether(files...); err != nil {
		return err
	}
	if j.opt.plot != "" && j.counts.rows == 0 {
		j.warnf("%s has no row to draw, so %s is not written", j.opt.test, j.opt.plot)
	}
	j.counts.noteScores()
	j.noteSummary()
	return nil
}

// close frees everything; after finish nothing is left to discard.
func (j *predictJob) close() {
	j.closeTable()
	j.askJob.close()
}

// closeTable frees what belongs to the query table.
func (j *predictJob) closeTable() {
	j.sinks.Discard()
	if j.queries.Reader != nil {
		j.queries.Close()
	}
}

// judgeTest fails where a condition about TEST holds, once its predictions are written.
func (j *predictJob) judgeTest(context.Context) error {
	if s, ok := sinkOf[*checkSink](j.sinks); ok {
		return judgeCheck(j.opt.conditions, s.found)
	}
	return nil
}
