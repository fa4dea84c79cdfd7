package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/pfnamp/pfnamp/amp"
	"github.com/pfnamp/pfnamp/pfn"
	"github.com/pfnamp/pfnamp/tabular"
)

// predictJob is one run of `pfnamp predict`. Its methods are its stages, in
// the order in which runPredict calls them.
type predictJob struct {
	contextJob
	opt   predictOptions
	start time.Time

	queries   *tabular.Reader
	posterior *amp.RankPosterior
	output    *output
	joint     *joint            // nil where every row stands alone
	wide      []*amp.Summarizer // of the pointwise level of bands
	unseen    map[string]int    // cells of a category that the training table lacks, by column
	notes     []string          // on the query table
	outside   []int             // rows whose point estimate is outside its interval, by functional
	rows      int64
}

// openTables reads the training table or the saved state and opens the query
// table.
func (j *predictJob) openTables(ctx context.Context) error {
	if err := j.open(ctx); err != nil {
		return err
	}
	j.opt.contextOptions = j.from // a state knows its flags
	if err := j.nameClasses(); err != nil {
		return err
	}
	read := j.opt.read
	read.Stdin = cancellable(ctx, j.std.in)
	var err error
	if j.queries, err = tabular.Open(j.opt.test, read); err != nil {
		return err
	}
	notes, err := j.schema.Match(j.opt.test, j.askedNames())
	if err != nil {
		return err
	}
	for _, note := range append(j.queries.Notes(), notes...) {
		j.notef("note: %s: %s", j.opt.test, note)
	}
	return nil
}

// drawPosterior draws the rank posterior that all rows share, if one is needed.
func (j *predictJob) drawPosterior(ctx context.Context) error {
	if j.opt.direct {
		return nil
	}
	sampler := j.opt.sampler
	sampler.Rho = j.opt.rho
	if sampler.Rho == 0 {
		sampler.Rho = amp.Independence // a zero field stands for the default
	}
	sampler.Schedule = amp.PaperSchedule{
		Rows: j.context.Rows(), Features: j.context.Columns(), Beta: j.opt.beta,
	}
	var err error
	if j.posterior, err = sampler.Draw(ctx); err != nil && ctx.Err() == nil {
		return &usageError{msg: strings.TrimPrefix(err.Error(), "amp: ")}
	}
	return err
}

// predict streams the query table through the model.
func (j *predictJob) predict(ctx context.Context) error {
	summaries, err := j.summaries(ctx)
	if err != nil {
		return err
	}
	progress := newProgress(j.std.err, j.opt.quiet, j.queries.Rows())
	defer progress.finish()
	j.unseen = map[string]int{}
	for {
		batch, err := j.queries.Next(ctx)
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		if err := j.predictBatch(ctx, batch, summaries); err != nil {
			return err
		}
		j.rows += int64(batch.Rows())
		progress.rows(j.rows)
	}
}

func (j *predictJob) predictBatch(
	ctx context.Context, batch *tabular.Batch, summaries []*amp.Summarizer,
) error {
	features, err := j.schema.Features(batch)
	if err != nil {
		return err
	}
	for column, n := range features.Unseen {
		j.unseen[column] += n
	}
	for _, note := range features.Notes {
		if !slices.Contains(j.notes, note) {
			j.notes = append(j.notes, note)
		}
	}
	result, err := j.estimate(ctx, matrix(features), summaries)
	if err != nil {
		return fmt.Errorf("predicting rows %d to %d of %s: %w",
			batch.First+1, batch.First+int64(batch.Rows()), j.opt.test, err)
	}
	j.countOutside(result)
	if j.joint != nil {
		if err := j.joint.add(ctx, batch, matrix(features), result); err != nil {
			return err
		}
		if j.joint.band != nil {
			return nil // finishJoint writes
		}
	}
	return j.output.write(batch, result)
}

// estimate predicts the rows of one batch and summarises their posteriors.
func (j *predictJob) estimate(
	ctx context.Context, x pfn.Matrix, summaries []*amp.Summarizer,
) (*result, error) {
	if j.opt.labels != nil {
		return j.estimateClasses(ctx, x, summaries)
	}
	if j.opt.direct {
		ppds, medians, err := j.context.PredictMedian(ctx, x)
		if err != nil {
			return nil, err
		}
		return summarizeDirect(ppds, medians, j.opt), nil
	}
	ppds, err := j.context.Predict(ctx, x)
	if err != nil {
		return nil, err
	}
	r := newResult(ppds, j.opt.level)
	chains := chainPosteriors{ppds: plain(ppds), summaries: summaries, prepare: j.wideSummaries}
	r.posteriors = chains
	r.estimates, err = estimateRows(ctx, chains.ppds, summaries)
	return r, err
}

// countOutside counts, by functional, the rows whose point estimate lies outside its interval.
func (j *predictJob) countOutside(r *result) {
	if j.outside == nil {
		j.outside = make([]int, len(r.estimates))
	}
	for i, estimates := range r.estimates {
		for _, e := range estimates {
			if e.Point < e.Lo || e.Point > e.Hi {
				j.outside[i]++
			}
		}
	}
}

// summaries prepares every functional once for all rows; there are none without chains.
func (j *predictJob) summaries(ctx context.Context) ([]*amp.Summarizer, error) {
	if j.opt.direct {
		return nil, nil
	}
	return j.prepare(ctx, j.opt.level)
}

// wideSummaries prepares every functional at the pointwise level of bands, once.
func (j *predictJob) wideSummaries(
	ctx context.Context, level float64,
) (_ []*amp.Summarizer, err error) {
	if j.wide == nil {
		j.wide, err = j.prepare(ctx, level)
	}
	return j.wide, err
}

// prepare prepares every functional at a level.
func (j *predictJob) prepare(ctx context.Context, level float64) ([]*amp.Summarizer, error) {
	prepared := make([]*amp.Summarizer, len(j.opt.functionals))
	for i, functional := range j.opt.functionals {
		var err error
		prepared[i], err = j.posterior.Summarizer(ctx, amp.Spec{
			Functional: functional, Level: level,
			Interval: j.opt.interval, Posterior: j.opt.posterior,
			Errors: j.opt.errors,
		})
		if err != nil {
			return nil, err
		}
	}
	return prepared, nil
}

// finish makes the output appear and says what was done.
func (j *predictJob) finish() error {
	if err := j.output.commit(); err != nil {
		return err
	}
	if j.joint != nil {
		if err := j.joint.out.commit(); err != nil {
			return err
		}
	}
	j.noteSummary()
	return nil
}

// close frees everything; after finish nothing is left to discard.
func (j *predictJob) close() {
	if j.output != nil {
		j.output.discard()
	}
	if j.joint != nil {
		j.joint.out.discard()
	}
	if j.queries != nil {
		j.queries.Close()
	}
	j.contextJob.close()
}
