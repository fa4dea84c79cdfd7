package main

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"

	"github.com/pfnamp/pfnamp"
	"github.com/pfnamp/pfnamp/amp"
	"github.com/pfnamp/pfnamp/joint"
	"github.com/pfnamp/pfnamp/tabular"
)

// together couples the rows of TEST: it writes joint draws, sums averages, and finds the level of
// simultaneous bands. Rows come one batch after another and leave sums behind only, so that
// memory does not grow with their number, except with bands, whose rows are held until the last
// one is known.
type together struct {
	opt       predictOptions
	predictor *pfnamp.Predictor
	coupling  *joint.Coupling
	band      *amp.Simultaneous
	averages  *joint.Averages
	out       jointOutput
	held      []heldBatch
	rows      int64
}

// heldBatch waits for the level of the bands.
type heldBatch struct {
	batch  *tabular.Batch
	answer *pfnamp.Answer
}

// Bounds on what is held or written.
const (
	maxBandRows  = 200_000 // held with their predictive distributions, 1 to 8 kB each
	maxJointRows = 1 << 30 // lines of the file of draws
)

// openJoint checks the group column and opens the files, if rows are to be coupled.
func (j *predictJob) openJoint(ctx context.Context) error {
	opt := j.opt.joint
	if !opt.asked() {
		return nil
	}
	names := j.queries.Names()
	if opt.groupBy != "" && !slices.Contains(names, opt.groupBy) {
		return &tabular.Error{File: j.opt.test, Column: opt.groupBy, Msg: "no such column",
			Hint: "--group-by needs one of " + strings.Join(names, ", ")}
	}
	j.joint = &together{opt: j.opt}
	if opt.bands {
		j.joint.band = amp.NewSimultaneous(j.opt.question.Draws())
	}
	if opt.summary != "" {
		j.joint.averages = joint.NewAverages(opt.groupBy, opt.contrasts)
		j.joint.averages.Memory = j.opt.memory / tableShare
	}
	if err := j.joint.checkRows(j.queries.Rows()); err != nil {
		return err
	}
	var err error
	j.joint.out, err = j.openJointOutput(ctx)
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
func (c *together) checkRows(rows int64) error {
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

// couple draws the dependence between rows.
func (c *together) couple(p *pfnamp.Predictor) error {
	var err error
	c.predictor = p
	if c.coupling, err = joint.Couple(p, c.opt.joint.length); err != nil {
		return err
	}
	c.coupling.RanksOnly = c.out.draws == nil && c.averages == nil
	return nil
}

// chunk is the number of rows that are coupled at a time.
const chunk = 64

// add couples the rows of a batch, in order, and holds them if there are bands.
func (c *together) add(ctx context.Context, batch *tabular.Batch, a *pfnamp.Answer) error {
	if err := c.checkRows(c.rows + int64(a.Rows())); err != nil {
		return err
	}
	group, err := c.groupsOf(batch)
	if err != nil {
		return err
	}
	for first := 0; first < a.Rows(); first += chunk {
		last := min(first+chunk, a.Rows())
		rows, err := c.coupling.Rows(ctx, a, first, last)
		if err != nil {
			return err
		}
		groups := make([]string, len(rows))
		for i := range rows {
			groups[i] = group(first + i)
		}
		if err := c.count(rows, groups); err != nil {
			return err
		}
	}
	if c.band != nil {
		c.held = append(c.held, heldBatch{batch, a})
	}
	return nil
}

// groupsOf returns the function that tells a row's group.
func (c *together) groupsOf(batch *tabular.Batch) (func(row int) string, error) {
	if c.opt.joint.groupBy == "" {
		return func(int) string { return "" }, nil
	}
	column, ok := batch.Column(c.opt.joint.groupBy)
	if !ok {
		return nil, fmt.Errorf("%s: column %q is gone", batch.File, c.opt.joint.groupBy)
	}
	missing := c.predictor.Fitted().Schema().Missing(batch, c.opt.joint.groupBy)
	return func(row int) string {
		if missing(row) {
			return ""
		}
		return column.ValueStr(row)
	}, nil
}

// count adds rows to bands, averages and the file of draws.
func (c *together) count(rows []joint.Row, groups []string) error {
	for i, row := range rows {
		if c.band != nil {
			c.band.Add(row.Ranks)
		}
		if c.averages != nil {
			if err := c.averages.Add(groups[i], row); err != nil {
				return err
			}
		}
	}
	first := c.rows + 1
	c.rows += int64(len(rows))
	if c.out.draws == nil {
		return nil
	}
	if c.opt.joint.groupBy == "" {
		groups = nil
	}
	record := joint.DrawsRecord(c.out.drawsSchema, first, rows, groups, c.opt.joint.perRow)
	defer record.Release()
	return c.writeRounded(c.out.draws, record)
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
	list, err := c.averages.Effects()
	if err != nil {
		return contrastFailure(err)
	}
	if n := c.averages.Lost(); n > 0 {
		j.warnf("%s without a value of %q: in no group", count(n, "row"),
			c.opt.joint.groupBy)
	}
	q := c.opt.question
	record := joint.EffectsRecord(c.out.summarySchema, list, q.Level, q.Interval)
	defer record.Release()
	return c.writeRounded(c.out.summary, record)
}

// writeRounded writes a record with the digits of all outputs.
func (c *together) writeRounded(to *tabular.Writer, record arrow.RecordBatch) error {
	columns := slices.Clone(record.Columns())
	rounded(columns, c.opt.digits)
	made := array.NewRecordBatch(record.Schema(), columns, record.NumRows())
	defer made.Release()
	return outputFailure(to.Write(made))
}

// writeBands writes the held rows with the intervals of the level that holds in all at once.
func (j *predictJob) writeBands(ctx context.Context) error {
	c := j.joint
	if c.band == nil {
		return nil
	}
	wanted := c.opt.question.Level
	level := c.band.PointwiseLevel(wanted)
	for i, held := range c.held {
		bands, err := c.predictor.At(ctx, held.answer, level)
		if err != nil {
			return err
		}
		if err := j.output.write(held.batch, held.answer, bands); err != nil {
			return err
		}
		c.held[i] = heldBatch{}
	}
	switch draws := float64(c.coupling.Draws()); {
	case c.rows == 0:
	case level > 1-1.5/draws:
		j.warnf("the most extreme of %g draws are too few for a band around %s: it holds "+
			"less often than %g; give more --chains, fewer rows or a longer --length",
			draws, count(int(c.rows), "row"), wanted)
	default:
		j.notef("*_band_lo, *_band_hi hold in all rows at once with probability %g; "+
			"row by row their level is %.4g", wanted, level)
	}
	return nil
}
