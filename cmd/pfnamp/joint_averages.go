package main

import (
	"context"
	"fmt"

	"github.com/pfnamp/pfnamp"
	"github.com/pfnamp/pfnamp/joint"
	"github.com/pfnamp/pfnamp/report"
	"github.com/pfnamp/pfnamp/tabular"
)

// jointAverages writes averages of coupled rows, and their contrasts.
type jointAverages struct {
	joinedTable
	*joint.Averages
	opening // whose notes it writes
}

// openAverages opens the file of --summary.
func (j opening) openAverages(ctx context.Context) (coupledPart, error) {
	opt := j.opt.joint
	file, err := j.createJoint(ctx, opt.summary, joint.EffectsSchema(j.layout))
	if err != nil {
		return nil, err
	}
	averages := joint.NewAverages(opt.groupBy, opt.contrasts)
	averages.Memory = j.opt.memory / tableShare
	return &jointAverages{file, averages, j}, nil
}

// couple implements coupledPart.
func (a *jointAverages) couple(_ int64, rows []joint.Row, groups []string) error {
	for i, row := range rows {
		if err := a.Averages.Add(groups[i], row); err != nil {
			return err
		}
	}
	return nil
}

// Add implements sink.
func (a *jointAverages) Add(context.Context, *tabular.Batch, *pfnamp.Answer) error { return nil }

// Finish implements sink.
func (a *jointAverages) Finish(context.Context) ([]finisher, error) {
	list, err := a.Effects()
	if err != nil {
		return nil, contrastFailure(err)
	}
	if n := a.Lost(); n > 0 {
		a.warnf("%s without a value of %q: they are in no group", count(n, "row"), a.opt.joint.groupBy)
	}
	a.noteOutside(list)
	a.noteSubjects(a.fitted)
	a.counts.averages = append(a.counts.averages, a.told(list)...)
	q := a.opt.question
	if err := a.write(joint.EffectsRecord(a.schema, list, q.Level, q.Interval)); err != nil {
		return nil, err
	}
	return []finisher{a.table.Finish}, nil
}

// told are the averages and contrasts as a report tells them. Contrasts come last, as they were
// asked for.
func (a *jointAverages) told(list []joint.Effect) []report.Average {
	q, contrasts := a.opt.question, a.opt.joint.contrasts
	all := make([]report.Average, len(list))
	for i, effect := range list {
		all[i] = toldEffect(effect, q)
		if effect.Contrast {
			c := contrasts[i-(len(list)-len(contrasts))]
			all[i].Plus, all[i].Minus = setName(c.Plus), setName(c.Minus)
		}
	}
	return all
}

// toldEffect is an average or a difference as a report tells it.
func toldEffect(effect joint.Effect, q pfnamp.Question) report.Average {
	told := report.Average{Name: effect.Name, Rows: effect.Rows}
	for f := range effect.Points {
		e := effect.Estimate(f, q.Level, q.Interval)
		told.Estimates = append(told.Estimates,
			report.Estimate{Point: e.Point, Lo: e.Lo, Hi: e.Hi})
		told.Above, told.Draws = append(told.Above, effect.Above(f)), len(effect.Draws[f])
	}
	return told
}

// setName is a side of a contrast in words.
func setName(of joint.RowSet) string {
	switch {
	case of.All:
		return "the average of all rows"
	case of.Row > 0:
		return fmt.Sprintf("row %d", of.Row)
	}
	return of.Group
}

// noteOutside says where averages or contrasts lie outside their credible interval, however few.
func (a *jointAverages) noteOutside(list []joint.Effect) {
	q := a.opt.question
	for f, name := range a.layout.Names {
		n := 0
		for _, effect := range list {
			if effect.Estimate(f, q.Level, q.Interval).Widened {
				n++
			}
		}
		if n > 0 {
			a.warnf("%s: the point estimate is outside its credible interval in %d of %d lines of %s: %s",
				name, n, len(list), a.opt.joint.summary, whyEffectOutside(q))
		}
	}
}
