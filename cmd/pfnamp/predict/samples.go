package predict

import (
	"context"
	"fmt"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/memory"

	"github.com/pfnamp/pfnamp/cmd/pfnamp/internal/output"
	"github.com/pfnamp/pfnamp/tabular"
)

// labelDraws writes the labels that are drawn at every row: row and draw, from 1, and the label.
type labelDraws struct {
	*output.Table
	job *predictJob
}

func (j *predictJob) openDraws(ctx context.Context) (sink, error) {
	d := &labelDraws{job: j}
	if err := d.check(j.queries.Rows()); err != nil {
		return nil, err
	}
	schema := arrow.NewSchema([]arrow.Field{
		{Name: "row", Type: arrow.PrimitiveTypes.Int64},
		{Name: "draw", Type: arrow.PrimitiveTypes.Int64},
		{Name: j.prefix + "sample", Type: j.Layout.SampleType()},
	}, nil)
	var err error
	d.Table, err = j.besideTable(ctx, j.samples, schema)
	return d, err
}

// check refuses more rows than can be written.
func (d *labelDraws) check(rows int64) error {
	if rows <= int64(maxJointRows/d.job.Question.Samples) {
		return nil
	}
	return &tabular.Error{File: d.job.test, Limit: true,
		Msg: fmt.Sprintf("--samples-file writes at most %d lines; %d rows of TEST need more",
			maxJointRows, rows),
		Hint: "use fewer --samples, or split TEST with --shard"}
}

func (d *labelDraws) Add(_ context.Context, a answered) error {
	if err := d.check(a.First + int64(a.rows())); err != nil {
		return err
	}
	row := array.NewInt64Builder(memory.DefaultAllocator)
	draw := array.NewInt64Builder(memory.DefaultAllocator)
	n := 0
	for i, samples := range a.Samples {
		n = len(samples)
		for s := range samples {
			row.Append(a.Index(i) + 1)
			draw.Append(int64(s) + 1)
		}
	}
	labels, err := d.job.Layout.SampleArray(row.Len(), func(k int) float64 {
		return a.Samples[k/n][k%n]
	})
	if err != nil {
		return err
	}
	return d.Write(output.Rounded([]arrow.Array{row.NewArray(), draw.NewArray(), labels}, d.Digits))
}

func (d *labelDraws) Finish(context.Context) error { return nil }
