package main

import (
	"context"
	"slices"
	"strings"

	"github.com/apache/arrow-go/v18/arrow"

	"github.com/pfnamp/pfnamp"
	"github.com/pfnamp/pfnamp/tabular"
)

// opening is what sinks are opened with: the question, the query table, and where notes go. A sink
// has its method open... in its own file.
type opening struct {
	*askJob
	queries *queryTable
	labels  *testLabels
	counts  *counters
}

// openSinks checks the destinations and opens them before the model runs, so that a wrong path
// costs nothing. What is open already is discarded when the job is closed.
func (j *predictJob) openSinks(ctx context.Context) error {
	table, plot, page, err := j.opt.places()
	if err != nil {
		return err
	}
	j.labels = testLabels{j.schema, j.predictor}
	j.counts = &counters{subject: j.subject(),
		late: func() []string { return j.queries.Notes()[j.queries.noted:] }}
	with := opening{&j.askJob, &j.queries, &j.labels, j.counts}
	next := &j.sinks // where answers go that have their bands
	for _, first := range []struct {
		asked bool
		open  func(context.Context) (sink, error)
	}{{len(j.opt.sets) > 0, with.openWhatIf}, {j.opt.checked, with.openCheck},
		{j.opt.joint.asked(), with.openJoint}} {
		if !first.asked {
			continue
		}
		made, err := first.open(ctx)
		if made != nil {
			j.sinks = append(j.sinks, made)
		}
		if err != nil {
			return err
		}
	}
	if c, ok := sinkOf[*together](j.sinks); ok {
		if b, ok := sinkOf[*bands](c.all()); ok {
			next = &b.next
		}
	}
	paths := append([]string{plot, page, table}, j.opt.filePaths()...)
	opens := []func(opening, context.Context, string) (sink, error){opening.openDrawing,
		opening.openReport, opening.openTable}
	for _, s := range fileSinks() {
		opens = append(opens, s.open)
	}
	for i, path := range paths {
		if path == "" {
			continue
		}
		made, err := opens[i](with, ctx, path)
		if err != nil {
			return err
		}
		*next = append(*next, made)
	}
	j.sinks = append(j.sinks, j.counts)
	return nil
}

// fields lists the output columns: those kept, then those computed.
func (j opening) fields() ([]arrow.Field, error) {
	var fields []arrow.Field
	var wrong []string // types
	for _, name := range j.opt.fit.Keep {
		kept, _ := j.queries.Schema().FieldsByName(name) // Match has found the column
		fields = append(fields, kept...)
		if _, unsupported := kept[0].Type.(*tabular.UnsupportedType); unsupported {
			wrong = append(wrong, quote(name))
		}
	}
	if len(wrong) > 0 {
		return nil, &tabular.Error{File: j.opt.test, Msg: "pfnamp cannot write the types of these " +
			"columns: " +
			strings.Join(wrong, ", "), Hint: "drop them from --keep"}
	}
	computed, err := j.layout.Fields()
	if err != nil {
		return nil, columnFailure(err)
	}
	if computed, err = j.opt.named(computed); err != nil {
		return nil, columnFailure(err)
	}
	for _, field := range computed {
		if slices.ContainsFunc(j.opt.fit.Keep, func(kept string) bool {
			return j.opt.sameColumn(kept, field.Name)
		}) {
			return nil, columnFailure(&pfnamp.ColumnError{Name: field.Name})
		}
	}
	return append(fields, computed...), nil
}
