package main

import (
	"context"
	"fmt"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/memory"

	"github.com/pfnamp/pfnamp"
	"github.com/pfnamp/pfnamp/tabular"
)

// labelDraws writes the labels that are drawn at every row: row and draw, from 1, and the label.
type labelDraws struct {
	joinedTable
	layout pfnamp.Layout
	limit  int64 // rows
	test   string
}

// openLabelDraws opens the file of --samples-file.
func (j opening) openLabelDraws(ctx context.Context, path string) (sink, error) {
	d := &labelDraws{layout: j.layout, test: j.opt.test,
		limit: int64(maxJointRows / j.opt.question.Samples)}
	if err := d.check(j.queries.Rows()); err != nil {
		return nil, err
	}
	schema := arrow.NewSchema([]arrow.Field{
		{Name: "row", Type: arrow.PrimitiveTypes.Int64},
		{Name: "draw", Type: arrow.PrimitiveTypes.Int64},
		{Name: j.opt.prefix + "sample", Type: j.layout.SampleType()},
	}, nil)
	var err error
	d.joinedTable, err = j.createBeside(ctx, path, schema, nil)
	return d, err
}

// check refuses more rows than can be written.
func (d *labelDraws) check(rows int64) error {
	if rows <= d.limit {
		return nil
	}
	return &tabular.Error{File: d.test, Limit: true,
		Msg: fmt.Sprintf("--samples-file writes at most %d lines; %d rows of TEST need more",
			maxJointRows, rows),
		Hint: "use fewer --samples, or split TEST with --shard"}
}

// Add implements sink.
func (d *labelDraws) Add(_ context.Context, batch *tabular.Batch, a *pfnamp.Answer) error {
	if err := d.check(batch.First + int64(batch.Rows())); err != nil {
		return err
	}
	row := array.NewInt64Builder(memory.DefaultAllocator)
	defer row.Release()
	draw := array.NewInt64Builder(memory.DefaultAllocator)
	defer draw.Release()
	n := 0
	for i, samples := range a.Samples {
		n = len(samples)
		for s := range samples {
			row.Append(batch.First + int64(i) + 1)
			draw.Append(int64(s) + 1)
		}
	}
	labels, err := d.layout.SampleArray(row.Len(), func(k int) float64 { return a.Samples[k/n][k%n] })
	if err != nil {
		return err
	}
	columns := []arrow.Array{row.NewArray(), draw.NewArray(), labels}
	return d.write(array.NewRecordBatch(d.schema, columns, int64(labels.Len())))
}

// Finish implements sink.
func (d *labelDraws) Finish(context.Context) ([]finisher, error) {
	return []finisher{d.table.Finish}, nil
}
