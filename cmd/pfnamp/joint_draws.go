package main

import (
	"context"

	"github.com/pfnamp/pfnamp"
	"github.com/pfnamp/pfnamp/joint"
	"github.com/pfnamp/pfnamp/tabular"
)

// jointDraws writes the draws of coupled rows.
type jointDraws struct {
	joinedTable
	perRow  int  // draws of every row
	grouped bool // with a column of groups
}

// openDraws opens the file of --joint.
func (j opening) openDraws(ctx context.Context) (coupledPart, error) {
	opt := j.opt.joint
	file, err := j.createJoint(ctx, opt.draws, joint.DrawsSchema(j.layout, opt.groupBy != ""))
	if err != nil {
		return nil, err
	}
	return &jointDraws{file, opt.perRow, opt.groupBy != ""}, nil
}

// couple implements coupledPart.
func (d *jointDraws) couple(first int64, rows []joint.Row, groups []string) error {
	if !d.grouped {
		groups = nil
	}
	return d.write(joint.DrawsRecord(d.schema, first, rows, groups, d.perRow))
}

// Add implements sink.
func (d *jointDraws) Add(context.Context, *tabular.Batch, *pfnamp.Answer) error { return nil }

// Finish implements sink.
func (d *jointDraws) Finish(context.Context) ([]finisher, error) {
	return []finisher{d.table.Finish}, nil
}
