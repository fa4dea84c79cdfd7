package predict

import (
	"fmt"
	"math"

	"github.com/pfnamp/pfnamp/amp"
	"github.com/pfnamp/pfnamp/cmd/pfnamp/internal/output"
	"github.com/pfnamp/pfnamp/cmd/pfnamp/internal/run"
	"github.com/pfnamp/pfnamp/cmd/pfnamp/internal/words"
	"github.com/pfnamp/pfnamp/joint"
	"github.com/pfnamp/pfnamp/report"
)

// jointAverages writes averages of coupled rows, and their contrasts.
type jointAverages struct {
	table *output.Table
	*joint.Averages
	job *predictJob
}

func (a *jointAverages) finish() error {
	list, err := a.Effects()
	if err != nil {
		return contrastFailure(err)
	}
	j, q := a.job, a.job.Question
	if n := a.Lost; n > 0 {
		j.Warnf("%s without a value of %q: they are in no group", words.Count(n, "row"), j.joint.groupBy)
	}
	a.noteOutside(list)
	j.NoteSubjects(j.Fitted)
	j.counts.averages = append(j.counts.averages, a.told(list)...)
	return a.table.Round(joint.EffectsRecord(a.table.Schema, list, q.Level, q.Interval))
}

// told are the averages and contrasts as a report tells them. Contrasts come last, as they were
// asked for.
func (a *jointAverages) told(list []joint.Effect) []report.Average {
	q, contrasts := a.job.Question, a.job.joint.contrasts
	all := make([]report.Average, len(list))
	for i, effect := range list {
		all[i] = run.ToldEffect(effect, q)
		if effect.Contrast {
			c := contrasts[i-(len(list)-len(contrasts))]
			all[i].Plus, all[i].Minus = setName(c.Plus), setName(c.Minus)
		}
	}
	return all
}

func setName(of joint.RowSet) string {
	switch {
	case of.All:
		return "the average of all rows"
	case of.Row > 0:
		return fmt.Sprintf("row %d", of.Row)
	}
	return of.Group
}

// noteOutside says which lines lie outside their interval, and which averages lie too far out.
func (a *jointAverages) noteOutside(list []joint.Effect) {
	q, why := a.job.Question, "chains deviate from the prediction, and these errors add up over rows"
	if q.Posteriors[0].Own() {
		why = "what the model leaves of the rows of TRAIN lies on the other side"
	}
	for f, name := range a.job.Layout.Names {
		n := 0
		for _, effect := range list {
			if effect.Estimate(f, q.Level, q.Interval).Widened {
				n++
			}
		}
		if n > 0 {
			a.job.Warnf("%s: the point estimate is outside its credible interval in %d of %d lines "+
				"of %s: %s. The interval is widened to hold it", name, n, len(list), a.job.joint.summary, why)
		}
		if u, ok := q.Functionals[f].(amp.Quantile); ok && math.Abs(u.Level-0.5) > 0.3 {
			a.job.Warnf("%s: averages of quantiles so far from the median lie too far out: in trials, "+
				"58 %% of the 90 %% intervals of groups held the truth. Differences of groups are free of this",
				name)
		}
	}
}
