package main

import (
	"context"
	"slices"
	"strconv"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"

	"github.com/pfnamp/pfnamp/cmd/pfnamp/internal/fault"
	"github.com/pfnamp/pfnamp/tabular"
)

// checkNames refuses names that tell no format in which tables are written.
func (o jointOptions) checkNames() error {
	return checkTableNames(map[string]string{"--joint": o.draws, "--summary": o.summary})
}

// checkTableNames does so for the values of flags.
func checkTableNames(paths map[string]string) error {
	for flag, path := range paths {
		if path == "-" {
			return noStandardOutput(flag)
		}
		if _, err := writtenFormat(flag, path, tabular.Auto); path != "" && err != nil {
			return err
		}
	}
	return nil
}

// joinedTable is a table beside that of the answers, with several lines for a row or several rows.
type joinedTable struct {
	table  *tabular.Writer
	schema *arrow.Schema
	digits int
}

// createJoint opens one of the files about coupled rows.
func (j opening) createJoint(
	ctx context.Context, path string, schema *arrow.Schema,
) (joinedTable, error) {
	return j.createBeside(ctx, path, schema, j.jointMetadata())
}

// createBeside opens a table beside that of the answers, with metadata of its own.
func (j opening) createBeside(
	ctx context.Context, path string, schema *arrow.Schema, own [][2]string,
) (joinedTable, error) {
	if err := checkDistinct(path, j.opt.train, j.opt.test); err != nil {
		return joinedTable{}, err
	}
	fields, err := j.opt.named(schema.Fields())
	if err != nil {
		return joinedTable{}, columnFailure(err)
	}
	schema = arrow.NewSchema(fields, nil)
	metadata, err := j.fileMetadata(tabular.FormatOf(path))
	if err != nil {
		return joinedTable{}, err
	}
	w, err := createTable(ctx, path, schema, tabular.WriteOptions{EscapeFormulas: j.opt.escape,
		Metadata: append(metadata, own...)})
	return joinedTable{w, schema, j.opt.digits}, fault.Writing(err)
}

// write writes a record with the digits of all outputs, and releases it.
func (t joinedTable) write(record arrow.RecordBatch) error {
	defer record.Release()
	columns := slices.Clone(record.Columns())
	rounded(columns, t.digits)
	made := array.NewRecordBatch(t.schema, columns, record.NumRows())
	defer made.Release()
	return fault.Writing(t.table.Write(made))
}

// Discard removes what has not been committed.
func (t joinedTable) Discard() { t.table.Abort() }

// jointMetadata says how rows were coupled.
func (j *askJob) jointMetadata() [][2]string {
	return [][2]string{
		{"pfnamp.joint.draws", strconv.Itoa(j.opt.question.Draws())},
		{"pfnamp.joint.length", strconv.FormatFloat(j.opt.joint.length, 'g', -1, 64)},
	}
}
