package main

import (
	"context"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"sync"

	"github.com/apache/arrow-go/v18/arrow"

	"github.com/pfnamp/pfnamp/amp"
	"github.com/pfnamp/pfnamp/pfn"
	"github.com/pfnamp/pfnamp/tabular"
)

// joint couples the rows of TEST: it writes joint draws, sums averages, and finds the level of
// simultaneous bands. Rows come one batch after another and leave sums behind only, so that
// memory does not grow with their number, except with bands, whose rows are held until the last
// one is known.
type joint struct {
	opt      predictOptions
	space    *embedding
	field    *amp.Field
	band     *amp.Simultaneous
	averages *averages
	out      jointOutput
	held     []heldBatch
	rows     int64
}

// heldBatch waits for the level of the bands.
type heldBatch struct {
	batch  *tabular.Batch
	result *result
}

// coupledRow is what a row contributes.
type coupledRow struct {
	group  string // "" for none
	ranks  []int
	points []float64   // by functional
	draws  [][]float64 // by functional
}

// Bounds on what is held or written.
const (
	maxBandRows  = 200_000 // held with their predictive distributions, 1 to 8 kB each
	maxJointRows = 1 << 30 // lines of the file of draws
)

// openJoint checks the group column and opens the files, if rows are to be coupled.
func (j *predictJob) openJoint(context.Context) error {
	opt := j.opt.joint
	if !opt.asked() {
		return nil
	}
	names := j.queries.Names()
	if opt.groupBy != "" && !slices.Contains(names, opt.groupBy) {
		return &tabular.Error{File: j.opt.test, Column: opt.groupBy, Msg: "no such column",
			Hint: "--group-by needs one of " + strings.Join(names, ", ")}
	}
	j.joint = &joint{opt: j.opt}
	if opt.bands {
		j.joint.band = amp.NewSimultaneous(j.opt.jointDraws())
	}
	if opt.summary != "" {
		j.joint.averages = newAverages(opt)
	}
	if err := j.joint.checkRows(j.queries.Rows()); err != nil {
		return err
	}
	var err error
	j.joint.out, err = j.openJointOutput()
	return err
}

// askedNames lists the columns of TEST without one that only makes groups, which is used and no
// feature.
func (j *predictJob) askedNames() []string {
	used := append(j.schema.FeatureNames(), j.schema.Kept...)
	return slices.DeleteFunc(j.queries.Names(), func(name string) bool {
		return name == j.opt.joint.groupBy && !slices.Contains(used, name)
	})
}

// checkRows refuses more rows than can be held or written.
func (c *joint) checkRows(rows int64) error {
	opt := c.opt.joint
	switch {
	case opt.bands && rows > maxBandRows:
		return &tabular.Error{File: c.opt.test, Limit: true,
			Msg:  fmt.Sprintf("--bands holds up to %d rows, and there are more", maxBandRows),
			Hint: "leave --bands out, or ask about fewer rows"}
	case opt.draws != "" && rows > int64(maxJointRows/opt.perRow):
		return &tabular.Error{File: c.opt.test, Limit: true,
			Msg: fmt.Sprintf("--joint writes up to %d lines, and %d draws of more than %d rows "+
				"are more", maxJointRows, opt.perRow, maxJointRows/opt.perRow),
			Hint: "ask for fewer --draws, or for a --summary"}
	}
	return nil
}

// drawField draws the dependence between rows.
func (j *predictJob) drawField(context.Context) error {
	if j.joint == nil {
		return nil
	}
	scales := scalesOf(j.training)
	if j.state != nil {
		if scales = j.state.note.Scales; len(scales) != len(j.schema.Columns) {
			return &pfn.StateError{Msg: "it does not tell the scales of the features, " +
				"which --joint, --summary and --bands need; fit again"}
		}
	}
	j.joint.space = newEmbedding(j.schema.Columns, scales)
	var err error
	j.joint.field, err = amp.JointSampler{
		Lengths: j.joint.space.lengths(j.opt.joint.length),
		Draws:   j.opt.jointDraws(), Seed: j.opt.sampler.Seed,
	}.Draw()
	if err != nil {
		return &usageError{msg: strings.TrimPrefix(err.Error(), "amp: ")}
	}
	return nil
}

// chunk is the number of rows that are coupled at a time.
const chunk = 64

// add couples the rows of a batch, in order, and holds them if there are bands.
func (c *joint) add(
	ctx context.Context, batch *tabular.Batch, x pfn.Matrix, r *result,
) error {
	if err := c.checkRows(c.rows + int64(x.Rows)); err != nil {
		return err
	}
	groups, err := c.groupsOf(batch)
	if err != nil {
		return err
	}
	for first := 0; first < x.Rows; first += chunk {
		rows := make([]coupledRow, min(chunk, x.Rows-first))
		if err := c.couple(ctx, rows, first, x, r); err != nil {
			return err
		}
		for i := range rows {
			rows[i].group = groups(first + i)
		}
		if err := c.count(rows); err != nil {
			return err
		}
	}
	if c.band != nil {
		c.held = append(c.held, heldBatch{batch, r})
	}
	return nil
}

// groupsOf returns the function that tells a row's group.
func (c *joint) groupsOf(batch *tabular.Batch) (func(row int) string, error) {
	if c.opt.joint.groupBy == "" {
		return func(int) string { return "" }, nil
	}
	column, ok := batch.Column(c.opt.joint.groupBy)
	if !ok {
		return nil, fmt.Errorf("%s: column %q is gone", batch.File, c.opt.joint.groupBy)
	}
	return func(row int) string { return cellText(column, row) }, nil
}

// cellText is the text of a cell, "" where it is missing.
func cellText(column arrow.Array, row int) string {
	if column.IsNull(row) {
		return ""
	}
	return column.ValueStr(row)
}

// couple computes rows from the batch's row first on, several at a time.
func (c *joint) couple(
	ctx context.Context, rows []coupledRow, first int, x pfn.Matrix, r *result,
) error {
	workers := c.opt.sampler.Workers
	if workers == 0 {
		workers = runtime.GOMAXPROCS(0)
	}
	var group sync.WaitGroup
	for worker := range min(workers, len(rows)) {
		group.Go(func() {
			for i := worker; i < len(rows) && ctx.Err() == nil; i += workers {
				at := first + i
				rows[i] = c.coupleRow(x.Data[at*x.Cols:(at+1)*x.Cols], at, r)
			}
		})
	}
	group.Wait()
	return ctx.Err()
}

// coupleRow computes one row of a batch.
func (c *joint) coupleRow(features []float64, at int, r *result) coupledRow {
	row := coupledRow{ranks: c.field.Ranks(c.space.place(features))}
	if c.out.draws == nil && c.averages == nil {
		return row
	}
	for f, estimates := range r.estimates {
		row.points = append(row.points, estimates[at].Point)
		row.draws = append(row.draws, r.posteriors.coupled(f, at, row.ranks))
	}
	return row
}

// count adds rows to bands, averages and the file of draws.
func (c *joint) count(rows []coupledRow) error {
	for _, row := range rows {
		if c.band != nil {
			c.band.Add(row.ranks)
		}
		if c.averages != nil {
			if err := c.averages.add(row.group, row.points, row.draws); err != nil {
				return err
			}
		}
	}
	first := c.rows + 1
	c.rows += int64(len(rows))
	if c.out.draws == nil {
		return nil
	}
	record := c.out.drawsRecord(first, rows, c.opt.joint.perRow)
	defer record.Release()
	return outputFailure(c.out.draws.Write(record))
}

// finishJoint writes the rows that waited for their bands, and the summary.
func (j *predictJob) finishJoint(ctx context.Context) error {
	if j.joint == nil {
		return nil
	}
	if err := j.writeBands(ctx); err != nil {
		return err
	}
	c := j.joint
	if c.averages == nil {
		return nil
	}
	list, err := c.averages.effects()
	if err != nil {
		return err
	}
	if n := c.averages.lost; n > 0 {
		j.notef("note: %s without a value of %q: in no group", count(int(n), "row"),
			c.opt.joint.groupBy)
	}
	record := summaryRecord(c.out.summarySchema, list, c.opt)
	defer record.Release()
	return outputFailure(c.out.summary.Write(record))
}

// writeBands writes the held rows with the intervals of the level that holds in all at once.
func (j *predictJob) writeBands(ctx context.Context) error {
	c := j.joint
	if c.band == nil {
		return nil
	}
	level := c.band.PointwiseLevel(c.opt.level)
	for i, held := range c.held {
		var err error
		if held.result.bands, err = held.result.posteriors.limits(ctx, level); err != nil {
			return err
		}
		if err := j.output.write(held.batch, held.result); err != nil {
			return err
		}
		c.held[i] = heldBatch{}
	}
	switch draws := float64(c.field.Draws()); {
	case c.rows == 0:
	case level > 1-1.5/draws:
		j.notef("note: the most extreme of %g draws are too few for a band around %s: it holds "+
			"less often than %g; give more --chains, fewer rows or a longer --length",
			draws, count(int(c.rows), "row"), c.opt.level)
	default:
		j.notef("*_band_lo, *_band_hi hold in all rows at once with probability %g; "+
			"row by row their level is %.4g", c.opt.level, level)
	}
	return nil
}
