package predict

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"

	"github.com/urfave/cli/v2"

	"github.com/pfnamp/pfnamp/amp"
	"github.com/pfnamp/pfnamp/cmd/pfnamp/internal/fault"
	"github.com/pfnamp/pfnamp/cmd/pfnamp/internal/output"
	"github.com/pfnamp/pfnamp/cmd/pfnamp/internal/run"
	"github.com/pfnamp/pfnamp/cmd/pfnamp/internal/words"
	"github.com/pfnamp/pfnamp/joint"
	"github.com/pfnamp/pfnamp/tabular"
)

// together is the sink that couples the rows of TEST, for joint draws, averages and simultaneous
// bands. Rows come one batch after another and leave sums behind only, so that memory does not grow
// with their number, except with bands.
type together struct {
	job      *predictJob
	coupling *joint.Coupling // from the first batch on
	draws    *output.Table   // of --joint, nil for none
	averages *jointAverages  // of --summary, likewise
	band     *bands          // of --bands, likewise
}

// Bounds on what is held or written.
const (
	maxBandRows  = 200_000 // held with their predictive distributions, 1 to 8 kB each
	maxJointRows = 1 << 30 // lines of the file of draws
)

// openJoint opens the sink of coupled rows. It checks the group column and opens the files before
// the model reads.
func (j *predictJob) openJoint(ctx context.Context) (_ *bands, err error) {
	opt := j.joint
	if opt.groupBy != "" {
		if err := j.queries.checkColumn("--group-by", opt.groupBy); err != nil {
			return nil, err
		}
	}
	t := &together{job: j}
	if err := t.checkRows(j.queries.Rows()); err != nil {
		return nil, err
	}
	own := run.JointMetadata(j.Question, opt.length)
	if opt.draws != "" {
		t.draws, err = j.besideTable(ctx, opt.draws, joint.DrawsSchema(j.Layout, opt.groupBy != ""),
			own...)
		if err != nil {
			return nil, err
		}
	}
	if opt.summary != "" {
		table, err := j.besideTable(ctx, opt.summary, joint.EffectsSchema(j.Layout), own...)
		if err != nil {
			return nil, err
		}
		t.averages = &jointAverages{table, joint.NewAverages(opt.groupBy, opt.contrasts), j}
		t.averages.Memory = j.From.Running.Memory / 4
	}
	if opt.bands {
		t.band = &bands{job: j, of: make([]amp.Simultaneous, len(j.Question.Functionals))}
	}
	j.sinks = append(j.sinks, t)
	return t.band, nil
}

// checkRows refuses more rows than can be held or written.
func (t *together) checkRows(rows int64) error {
	opt, test := t.job.joint, t.job.test
	switch {
	case opt.bands && rows > maxBandRows:
		return &tabular.Error{File: test, Limit: true,
			Msg:  fmt.Sprintf("--bands holds at most %d rows, and TEST has more", maxBandRows),
			Hint: "drop --bands, or predict fewer rows"}
	case opt.draws != "" && rows > int64(maxJointRows/opt.perRow):
		return &tabular.Error{File: test, Limit: true,
			Msg: fmt.Sprintf("--joint writes at most %d lines: with %d draws TEST may have %d rows, and "+
				"it has more", maxJointRows, opt.perRow, maxJointRows/opt.perRow),
			Hint: "use fewer --draws, or --summary"}
	}
	return nil
}

// chunk is the number of rows that are coupled at a time.
const chunk = 64

func (t *together) Add(ctx context.Context, a answered) (err error) {
	if err := t.checkRows(a.First + int64(a.rows())); err != nil {
		return err
	}
	if t.coupling == nil {
		if t.coupling, err = joint.Couple(t.job.Predictor, t.job.joint.length); err != nil {
			return t.job.QuestionFailure(ctx, err)
		}
		t.coupling.RanksOnly, t.coupling.Alike = t.draws == nil && t.averages == nil, true
	}
	if t.averages != nil {
		if err := t.coupling.Correct(ctx); err != nil {
			return err
		}
	}
	group, err := t.groupsOf(a.Batch)
	for first := 0; first < a.rows() && err == nil; first += chunk {
		var rows []joint.Row
		rows, err = t.coupling.Rows(ctx, a.Answer, first, min(first+chunk, a.rows()))
		groups := make([]string, len(rows))
		for i := range rows {
			rows[i].Number, groups[i] = a.Index(first+i)+1, group(first+i)
		}
		if err == nil && t.draws != nil {
			err = t.draws.Round(joint.DrawsRecord(t.draws.Schema, rows, groups, t.job.joint.perRow))
		}
		for i, row := range rows {
			if t.averages != nil && err == nil {
				err = t.averages.Add(groups[i], row)
			}
			if t.band != nil {
				for f, ranks := range row.Ranks {
					t.band.of[f].Add(ranks)
				}
			}
		}
	}
	if t.band != nil {
		t.band.held = append(t.band.held, a)
	}
	return err
}

func (t *together) groupsOf(batch *tabular.Batch) (func(row int) string, error) {
	by := t.job.joint.groupBy
	if by == "" {
		return func(int) string { return "" }, nil
	}
	texts, err := t.job.Schema.Texts(batch, by)
	return func(row int) string {
		text, _ := texts(row)
		return text
	}, err
}

// Finish writes the averages, and gives held rows their bands.
func (t *together) Finish(ctx context.Context) (err error) {
	if t.averages != nil {
		err = t.averages.finish()
	}
	if err == nil && t.band != nil {
		err = t.band.finish(ctx)
	}
	return err
}

// bands finds the levels of simultaneous bands. Rows wait for them until the last one is known.
// Then they go on to the next sinks with their bands.
type bands struct {
	job  *predictJob
	of   []amp.Simultaneous // by functional
	held []answered
	next sinks
}

// finish gives rows the intervals of the levels that hold in all at once.
func (b *bands) finish(ctx context.Context) error {
	q, rows := b.job.Question, 0
	levels := make([]float64, len(b.of))
	for f := range levels {
		levels[f] = b.of[f].PointwiseLevel(q.Level)
	}
	for i, held := range b.held {
		var err error
		rows += held.rows()
		if held.Bands, err = b.job.Predictor.At(ctx, held.Answer, levels); err != nil {
			return err
		}
		if err := b.next.Add(ctx, held); err != nil {
			return err
		}
		b.held[i] = answered{}
	}
	switch draws := float64(q.Draws()); {
	case rows == 0:
	case slices.Max(levels) > 1-1.5/draws:
		b.job.Warnf("%g draws are too few for a band around %s: it holds less often than %g. Use more "+
			"--chains, fewer rows or a longer --length", draws, words.Count(rows, "row"), q.Level)
	default:
		b.job.Notef("*_band_lo, *_band_hi hold in all rows at once with probability %g; in a single "+
			"row with at least %.4g", q.Level, slices.Min(levels))
	}
	return b.next.Finish(ctx)
}

// jointOptions holds the flags about several rows together.
type jointOptions struct {
	draws     string // file of joint draws, "" for none
	perRow    int    // draws written of every row
	summary   string // file of averages and contrasts, "" for none
	groupBy   string // column of TEST whose values make groups
	contrasts []joint.Contrast
	bands     bool    // simultaneous bands beside the intervals
	length    float64 // see joint.Couple
}

func (o jointOptions) asked() bool { return o.draws != "" || o.summary != "" || o.bands }

// parseJoint reads the flags about several rows together, and settles the outputs.
func (j *predictJob) parseJoint(c *cli.Context) error {
	j.joint = jointOptions{
		draws: c.String("joint"), perRow: c.Int("draws"), summary: c.String("summary"),
		groupBy: run.OneColumn(c, "group-by"), bands: c.Bool("bands"), length: c.Float64("length"),
	}
	o := &j.joint
	chains := j.Question.Draws()
	if !c.IsSet("draws") {
		o.perRow = min(o.perRow, chains)
	}
	if n := o.perRow; n < 1 || n > chains {
		return fault.Option("draws", fmt.Sprintf("%d is not between 1 and the %d chains", n, chains), "")
	}
	for _, text := range c.StringSlice("contrast") {
		made, err := joint.ParseContrast(text, o.groupBy != "")
		if err != nil {
			return contrastFailure(err)
		}
		o.contrasts = append(o.contrasts, made)
	}
	j.Chained = o.asked() || len(j.sets) > 0
	for _, f := range []output.Flagged{{Flag: "--joint", Path: o.draws},
		{Flag: "--summary", Path: o.summary}, {Flag: "--samples-file", Path: j.samples}} {
		if f.Path != "" {
			j.to.Beside = append(j.to.Beside, f)
		}
	}
	if j.tests != nil { // -o is a folder
		return nil
	}
	if err := j.to.Settle(j.From.Train, j.test); err != nil || j.to.Table != "" {
		return err
	}
	columns := []string{"ppd", "mcse", "prefix"}
	if j.samples == "" {
		columns = append(columns, "samples")
	}
	return run.Refuse(c, "has its columns in a table, and "+j.to.Out+" is none",
		"name a table: -o out.csv, and the figure or page with --plot or --report", columns...)
}

// contrastFailure names the flag of a contrast that is refused.
func contrastFailure(err error) error {
	wrong, ok := errors.AsType[*joint.ContrastError](err)
	if !ok {
		return err
	}
	hint := wrong.Hint
	switch wrong.Fault {
	case joint.NoDifference:
		hint = "write 'row 3 - row 7', 'row 3 - all', or with --group-by 'north - south'" +
			"\nquote a name that holds \" - \", or that is all or row 1: '\"18 - 25\" - north'"
	case joint.NoTerm:
		hint = "name rows of TEST 'row 1', 'row 2', ...; for groups add --group-by COLUMN"
	}
	return fault.Option("contrast", strconv.Quote(wrong.Text)+wrong.Msg, hint)
}
