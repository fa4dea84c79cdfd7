package main

import (
	"context"
	"strconv"

	"github.com/apache/arrow-go/v18/arrow"

	"github.com/pfnamp/pfnamp/joint"
	"github.com/pfnamp/pfnamp/tabular"
)

// jointOutput is the files about several rows together, nil where one is not asked for.
type jointOutput struct {
	draws, summary             *tabular.Writer
	drawsSchema, summarySchema *arrow.Schema
}

// openJointOutput checks the destinations before the model runs.
func (j *predictJob) openJointOutput(ctx context.Context) (jointOutput, error) {
	opt := j.opt.joint
	out := jointOutput{drawsSchema: joint.DrawsSchema(j.layout, opt.groupBy != ""),
		summarySchema: joint.EffectsSchema(j.layout)}
	var err error
	if out.draws, err = j.createJoint(ctx, opt.draws, out.drawsSchema); err != nil {
		return out, err
	}
	out.summary, err = j.createJoint(ctx, opt.summary, out.summarySchema)
	return out, err
}

// checkNames refuses names that tell no format in which tables are written.
func (o jointOptions) checkNames() error {
	for flag, path := range map[string]string{"--joint": o.draws, "--summary": o.summary} {
		if path == "-" {
			return &usageError{msg: flag + " - : standard output is for the table", hint: "name a file"}
		}
		if _, err := writtenFormat(flag, path, tabular.Auto); path != "" && err != nil {
			return err
		}
	}
	return nil
}

// createJoint opens one of the files.
func (j *predictJob) createJoint(
	ctx context.Context, path string, schema *arrow.Schema,
) (*tabular.Writer, error) {
	if path == "" {
		return nil, nil
	}
	if err := checkDistinct(path, j.opt.train, j.opt.test); err != nil {
		return nil, err
	}
	metadata, err := j.fileMetadata(tabular.FormatOf(path))
	if err != nil {
		return nil, err
	}
	w, err := createTable(ctx, path, schema, tabular.WriteOptions{EscapeFormulas: j.opt.escape,
		Metadata: append(metadata, j.jointMetadata()...)})
	return w, outputFailure(err)
}

// jointMetadata says how rows were coupled.
func (j *predictJob) jointMetadata() [][2]string {
	return [][2]string{
		{"pfnamp.joint.draws", strconv.Itoa(j.opt.question.Draws())},
		{"pfnamp.joint.length", strconv.FormatFloat(j.opt.joint.length, 'g', -1, 64)},
	}
}

// finishers complete the files.
func (o jointOutput) finishers() []finisher {
	var outputs []finisher
	for _, w := range []*tabular.Writer{o.draws, o.summary} {
		if w != nil {
			outputs = append(outputs, w.Finish)
		}
	}
	return outputs
}

// discard removes what has not been committed.
func (o jointOutput) discard() {
	for _, w := range []*tabular.Writer{o.draws, o.summary} {
		if w != nil {
			w.Abort()
		}
	}
}
