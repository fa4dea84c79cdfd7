package main

import (
	"strconv"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/memory"

	"github.com/pfnamp/pfnamp/tabular"
)

// jointOutput is the files about several rows together, nil where one is not asked for.
type jointOutput struct {
	draws, summary             *tabular.Writer
	drawsSchema, summarySchema *arrow.Schema
}

// openJointOutput checks the destinations before the model runs.
func (j *predictJob) openJointOutput() (jointOutput, error) {
	var out jointOutput
	opt := j.opt
	float := arrow.PrimitiveTypes.Float64
	if opt.joint.draws != "" {
		fields := []arrow.Field{
			{Name: "row", Type: arrow.PrimitiveTypes.Int64},
			{Name: "draw", Type: arrow.PrimitiveTypes.Int64},
		}
		if opt.joint.groupBy != "" {
			fields = append(fields,
				arrow.Field{Name: "group", Type: arrow.BinaryTypes.String, Nullable: true})
		}
		for _, functional := range opt.functionals {
			fields = append(fields, arrow.Field{Name: opt.prefix + functional.String(), Type: float})
		}
		out.drawsSchema = arrow.NewSchema(fields, nil)
	}
	if opt.joint.summary != "" {
		out.summarySchema = arrow.NewSchema(summaryFields(opt), nil)
	}
	var err error
	if out.draws, err = j.createJoint("joint", opt.joint.draws, out.drawsSchema); err != nil {
		return out, err
	}
	out.summary, err = j.createJoint("summary", opt.joint.summary, out.summarySchema)
	return out, err
}

// createJoint opens one of the files.
func (j *predictJob) createJoint(
	flag, path string, schema *arrow.Schema,
) (*tabular.Writer, error) {
	if path == "" {
		return nil, nil
	}
	if path == "-" || tabular.FormatOf(path) == tabular.Auto {
		return nil, &usageError{msg: "--" + flag + " " + path + ": the name tells no format",
			hint: "name it .csv, .tsv, .parquet, .arrow or .arrows"}
	}
	if err := checkDistinct(path, j.opt.train, j.opt.test); err != nil {
		return nil, err
	}
	w, err := tabular.Create(path, schema, tabular.WriteOptions{
		Metadata: append(j.metadata(), j.jointMetadata()...)})
	return w, outputFailure(err)
}

// jointMetadata says how rows were coupled.
func (j *predictJob) jointMetadata() [][2]string {
	return [][2]string{
		{"pfnamp.joint.draws", strconv.Itoa(j.opt.jointDraws())},
		{"pfnamp.joint.length", strconv.FormatFloat(j.opt.joint.length, 'g', -1, 64)},
	}
}

// drawsRecord lists the first n draws of some rows, one line each; first counts from 1.
func (o jointOutput) drawsRecord(first int64, rows []coupledRow, n int) arrow.RecordBatch {
	builder := array.NewRecordBuilder(memory.DefaultAllocator, o.drawsSchema)
	defer builder.Release()
	builder.Reserve(n * len(rows))
	row, draw := builder.Field(0).(*array.Int64Builder), builder.Field(1).(*array.Int64Builder)
	group, grouped := builder.Field(2).(*array.StringBuilder)
	at := 2
	if grouped {
		at = 3
	}
	for i, r := range rows {
		for b := range n {
			row.Append(first + int64(i))
			draw.Append(int64(b + 1))
			switch {
			case grouped && r.group == "":
				group.AppendNull()
			case grouped:
				group.Append(r.group)
			}
		}
		for f, draws := range r.draws {
			builder.Field(at+f).(*array.Float64Builder).AppendValues(draws[:n], nil)
		}
	}
	return builder.NewRecordBatch()
}

// commit makes the files appear.
func (o jointOutput) commit() error {
	for _, w := range []*tabular.Writer{o.draws, o.summary} {
		if w == nil {
			continue
		}
		if err := w.Commit(); err != nil {
			return outputFailure(err)
		}
	}
	return nil
}

// discard removes what has not been committed.
func (o jointOutput) discard() {
	for _, w := range []*tabular.Writer{o.draws, o.summary} {
		if w != nil {
			w.Abort()
		}
	}
}
