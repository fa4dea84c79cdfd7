package main

import (
	"context"
	"fmt"

	"github.com/pfnamp/pfnamp"
	"github.com/pfnamp/pfnamp/joint"
	"github.com/pfnamp/pfnamp/tabular"
)

// together is the sink that couples the rows of TEST, for joint draws, averages and simultaneous
// bands. Rows come one batch after another and leave sums behind only, so that memory does not grow
// with their number, except with bands.
type together struct {
	opt       predictOptions
	parts     []coupledPart
	predictor *pfnamp.Predictor // with coupling, from couple on
	coupling  *joint.Coupling
	rows      int64
}

// coupledPart is what is made of coupled rows. Its Add comes when the rows of a batch are coupled.
type coupledPart interface {
	sink
	// couple takes rows in order, with their groups; first is the number of the first row, from 1.
	couple(first int64, rows []joint.Row, groups []string) error
}

// Bounds on what is held or written.
const (
	maxBandRows  = 200_000 // held with their predictive distributions, 1 to 8 kB each
	maxJointRows = 1 << 30 // lines of the file of draws
)

// openJoint checks the group column and opens the files, before the model runs.
func (j opening) openJoint(ctx context.Context) (sink, error) {
	opt := j.opt.joint
	if opt.groupBy != "" {
		if err := j.queries.checkColumn("--group-by", opt.groupBy); err != nil {
			return nil, err
		}
	}
	c := &together{opt: j.opt}
	if err := c.checkRows(j.queries.Rows()); err != nil {
		return nil, err
	}
	for _, part := range []struct {
		asked bool
		open  func(context.Context) (coupledPart, error)
	}{{opt.draws != "", j.openDraws}, {opt.summary != "", j.openAverages}, {opt.bands, j.openBands}} {
		if !part.asked {
			continue
		}
		made, err := part.open(ctx)
		if err != nil {
			return c, err // which discards the parts
		}
		c.parts = append(c.parts, made)
	}
	return c, nil
}

// checkRows refuses more rows than can be held or written.
func (c *together) checkRows(rows int64) error {
	opt := c.opt.joint
	switch {
	case opt.bands && rows > maxBandRows:
		return &tabular.Error{File: c.opt.test, Limit: true,
			Msg:  fmt.Sprintf("--bands holds at most %d rows, and TEST has more", maxBandRows),
			Hint: "drop --bands, or predict fewer rows"}
	case opt.draws != "" && rows > int64(maxJointRows/opt.perRow):
		return &tabular.Error{File: c.opt.test, Limit: true,
			Msg: fmt.Sprintf("--joint writes at most %d lines: with %d draws TEST may have %d rows, and "+
				"it has more", maxJointRows, opt.perRow, maxJointRows/opt.perRow),
			Hint: "use fewer --draws, or --summary"}
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
	c.coupling.RanksOnly = c.opt.joint.draws == "" && c.opt.joint.summary == ""
	return nil
}

// chunk is the number of rows that are coupled at a time.
const chunk = 64

// Add implements sink: it couples the rows.
func (c *together) Add(ctx context.Context, batch *tabular.Batch, a *pfnamp.Answer) error {
	if err := c.checkRows(c.rows + int64(a.Rows())); err != nil {
		return err
	}
	if c.opt.joint.summary != "" {
		if err := c.coupling.Correct(ctx); err != nil {
			return err
		}
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
		for _, part := range c.parts {
			if err := part.couple(c.rows+1, rows, groups); err != nil {
				return err
			}
		}
		c.rows += int64(len(rows))
	}
	return c.all().Add(ctx, batch, a)
}

// all are the parts as sinks.
func (c *together) all() (all sinks) {
	for _, part := range c.parts {
		all = append(all, part)
	}
	return all
}

// Finish implements sink.
func (c *together) Finish(ctx context.Context) ([]finisher, error) { return c.all().Finish(ctx) }

// Discard implements sink.
func (c *together) Discard() { c.all().Discard() }

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
