package predict

import (
	"context"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/pfnamp/pfnamp/cmd/pfnamp/internal/fault"
	"github.com/pfnamp/pfnamp/cmd/pfnamp/internal/flags"
	"github.com/pfnamp/pfnamp/cmd/pfnamp/internal/output"
	"github.com/pfnamp/pfnamp/cmd/pfnamp/internal/progress"
	"github.com/pfnamp/pfnamp/cmd/pfnamp/internal/run"
	"github.com/pfnamp/pfnamp/cmd/pfnamp/internal/words"
	"github.com/pfnamp/pfnamp/internal/atomicfile"
	"github.com/pfnamp/pfnamp/tabular"
)

// partsJob predicts many query tables with one context, each into a file of its own. A part that is
// done is not done again, so that the same command goes on after an interruption, and several
// processes, each with its --shard, share the work.
type partsJob struct {
	predictJob // its test and output belong to no part

	parts   []part        // of all shards
	records []partRecord  // of the parts of this process that are done
	failed  []fault.Error // of parts that --keep-going has left out
	skipped int           // parts that were done before

	told  map[string]bool // notes on parts, without the names of their files
	again int             // parts with notes that an earlier one had
}

// parseParts checks flags of a job over many tables.
func (j *predictJob) parseParts(c *cli.Context) error {
	out := j.to.Out
	for _, test := range j.tests {
		if _, _, _, err := expand(test, out); err != nil {
			return err
		}
	}
	j.setting = flags.Given(c, "prefix", "digits", "escape-formulas", "keep", "to", "test-sheet",
		"mcse", "encoding", "sheet", "from", "delimiter", "decimal", "na", "header-row",
		"test-header-row", "test-decimal", "dates", "repeated", "target-values", "no-fingerprint")
	if j.keepGoing = c.Bool("keep-going"); j.tests == nil {
		return run.Refuse(c, "needs several TESTs", "", "keep-going")
	}
	if err := run.Refuse(c, "takes one TEST, and there are several", "predict that table alone",
		"plot", "report", "joint", "summary", "bands", "samples-file", "summary-json",
		"set"); err != nil {
		return err
	}
	if info, err := os.Stat(out); out == "-" || err == nil && !info.IsDir() ||
		err != nil && tabular.FormatOf(out) != tabular.Auto {
		return fault.Wrong("-o "+out+" is not a folder, and TEST has several tables",
			"name a folder: -o predictions")
	}
	return nil
}

func (j *partsJob) run(ctx context.Context) error {
	defer j.close()
	lap := j.Clock.Lap
	return j.Steps(ctx, j.list, j.LoadBundle, j.CheckTask,
		j.Doing("reading "+filepath.Base(j.From.Train), j.openTraining), lap("read"),
		j.Doing("loading the model", j.OpenModel), lap("model"),
		j.Doing("the model reads "+filepath.Base(j.From.Train), j.Fit), lap("context"),
		j.checkFolder, j.Doing("preparing the answers", j.Prepare), lap("prepare"),
		j.predictAll, lap("predict"), j.succeed, j.tellResult, j.tellFailed)
}

// tellFailed reports tables that were left out, if there are any.
func (j *partsJob) tellFailed(context.Context) error {
	if j.failed == nil {
		return nil
	}
	msg := fmt.Sprintf("%d of %s failed; the others are in %s", len(j.failed),
		words.Count(len(j.parts), "part"), j.to.Out)
	return fault.New(fault.Parts, msg, "repair or remove the tables of the failed parts, and run the "+
		"same command again: it does the rest")
}

func (j *partsJob) list(context.Context) error {
	parts, left, err := listParts(j.tests, j.to.Out, j.to.Format)
	if err != nil {
		return err
	}
	if j.parts, j.told = parts, map[string]bool{}; len(left) > 0 {
		j.Warnf("skipped %s without the name of a table: %s (a pattern reads them: '*.txt', or "+
			"'link/*' for a link to a folder)", words.Count(len(left), "file"), firstFew(left))
	}
	if keys := keptKeys(j.parts, j.From.Fit.Keep); len(keys) > 0 {
		j.Warnf("the names of folders replace these columns: %s", strings.Join(keys, ", "))
	}
	for _, p := range j.parts {
		if err := output.CheckDistinct(p.output, j.From.Train, p.input); err != nil {
			return err
		}
	}
	return makeFolder(j.to.Out)
}

// firstFew lists names, the first five of more.
func firstFew(names []string) string { return strings.Join(names[:min(len(names), 5)], ", ") }

// checkFolder refuses a folder with parts of another job.
func (j *partsJob) checkFolder(context.Context) error {
	setting := maps.Clone(j.setting)
	common := j.predictJob
	common.shard = run.Shard{}
	for _, entry := range common.Metadata("", common.own()...) {
		setting[entry[0]] = entry[1]
	}
	train, err := j.ReadFacts(j.From.Train)
	if err != nil {
		return err
	}
	setting["context sha256"] = train.SHA256
	return checkSetting(j.to.Out, setting)
}

func (j *partsJob) predictAll(ctx context.Context) error {
	for i, p := range j.parts {
		if s := j.shard; s.Count > 0 && int64(i)%s.Count != s.Number-1 {
			continue
		}
		if r, ok := p.recorded(j.to.Out); ok && r.done(j.to.Out, false) && r.done(j.to.Out, true) {
			j.skipped++
			j.records = append(j.records, r)
			continue
		}
		if err := unlist(j.to.Out); err != nil {
			return err
		}
		r, err := j.predictPart(ctx, p)
		if err == nil {
			j.Notef("%s: %s -> %s", p.input, words.Count(int(r.Rows), "row"), p.output)
			j.records = append(j.records, r)
		} else if err = j.goOn(ctx, p, err); err != nil {
			return err
		}
	}
	return nil
}

func (j *partsJob) rows() (n int64) {
	for _, r := range j.records {
		n += r.Rows
	}
	return n
}

// goOn returns the error of a part that ends the job. With --keep-going, one about the part's table
// is noted instead.
func (j *partsJob) goOn(ctx context.Context, p part, err error) error {
	why := fault.Classify(ctx, j.OfTest(err))
	if why.File != p.input || why.Code != fault.ExitInput && why.Code != fault.ExitLimit {
		return err
	}
	if !j.keepGoing {
		j.Notef("%d of %d parts are done in %s. To skip tables that are refused, add --keep-going",
			len(j.records), len(j.parts), j.to.Out)
		return err
	}
	j.Warnf("skipped: %s", why.Msg)
	j.failed = append(j.failed, why)
	return nil
}

func (j *partsJob) predictPart(ctx context.Context, p part) (partRecord, error) {
	one := j.predictJob
	one.test, one.shard, one.Said = p.input, run.Shard{}, nil
	one.to.Table, one.to.Format = p.output, tabular.FormatOf(p.output)
	again := 0
	one.Told = func(note string) bool {
		note = strings.ReplaceAll(note, p.input, "")
		told := j.told[note]
		if j.told[note] = true; told {
			again = 1
		}
		return told
	}
	defer one.closeTable()
	before, err := os.Stat(p.input)
	if err != nil {
		return partRecord{}, &tabular.Error{File: p.input, Err: atomicfile.Cause(err)}
	}
	input, err := one.ReadFacts(p.input)
	if err != nil {
		return partRecord{}, err
	}
	if err := makeFolder(filepath.Dir(p.output)); err != nil {
		return partRecord{}, err
	}
	one.queries.constants = j.typed(p.keys)
	err = one.Steps(ctx, one.openTest, one.openSinks, one.predict,
		func(ctx context.Context) error {
			if err := unchanged(p.input, before); err != nil {
				return err
			}
			if err := one.sinks.Finish(ctx); err != nil {
				return err
			}
			one.counts.noteScores()
			return one.outputs.Commit()
		})
	j.Said, j.again = append(j.Said, one.Said...), j.again+again
	if err != nil {
		return partRecord{}, err
	}
	return p.record(ctx, j.to.Out, input, one.counts.rows)
}

// unchanged refuses a table that is another one than before it was read.
func unchanged(path string, before fs.FileInfo) error {
	after, err := os.Stat(path)
	if err == nil && after.Size() == before.Size() && after.ModTime().Equal(before.ModTime()) {
		return nil
	}
	return &tabular.Error{File: path, Msg: "the file changed while it was read",
		Hint: "run the command again when no other program writes to the file"}
}

// typed marks the keys of folders that are numeric columns of the context. A value that is not a
// number stays a text, and the schema refuses it like a cell.
func (j *partsJob) typed(keys []tabular.Constant) []tabular.Constant {
	keys = slices.Clone(keys)
	for i, key := range keys {
		for _, c := range j.Schema.Columns {
			if c.Name != key.Name || c.Kind != tabular.Numeric {
				continue
			}
			x, err := c.Value(key.Value)
			if keys[i].Number = err == nil; err == nil && key.Value != "" {
				keys[i].Value = strconv.FormatFloat(x, 'g', -1, 64)
			}
		}
	}
	return keys
}

// succeed writes the list of all parts when the last one is done, by whichever process. Only then,
// as after the last shard, does it read the bytes of parts, and not those of this process.
func (j *partsJob) succeed(ctx context.Context) error {
	if j.again > 0 {
		j.Warnf("notes on tables above hold for %s too", words.Count(j.again, "more table"))
	}
	var done []partRecord
	for _, p := range j.parts {
		if r, ok := p.recorded(j.to.Out); ok && r.done(j.to.Out, false) {
			done = append(done, r)
		}
	}
	if len(done) == len(j.parts) {
		own := map[partRecord]bool{}
		for _, r := range j.records {
			own[r] = true
		}
		done = slices.DeleteFunc(done, func(r partRecord) bool {
			return !own[r] && !r.done(j.to.Out, true)
		})
	}
	j.Notef("%s in %s, %d done before, in %s -> %s", words.Count(int(j.rows()), "row"),
		words.Count(len(j.records), "part"), j.skipped,
		progress.Duration(time.Since(j.Start).Seconds()), j.to.Out)
	if len(done) < len(j.parts) {
		j.Notef("%d of %d parts are done in %s", len(done), len(j.parts), j.to.Out)
		for _, f := range j.failed {
			j.Notef("failed: %s", f.Msg)
		}
		return nil
	}
	err := output.WriteJSON(ctx, filepath.Join(j.to.Out, successFile), done)
	if old := leftovers(j.to.Out, j.parts); err == nil && len(old) > 0 {
		j.Warnf("%s in %s of tables that are no longer there, not listed in %s: %s",
			words.Count(len(old), "part"), j.to.Out, successFile, firstFew(old))
	}
	return err
}

func (j *partsJob) tellResult(ctx context.Context) error {
	return j.TellResult(ctx, output.Places{}, func(r *run.Result) error {
		rows := j.rows()
		r.Rows, r.Shard, r.Failed = &rows, j.shard.String(), j.failed
		for _, p := range j.records {
			r.Outputs = append(r.Outputs, output.FileResult{File: p.path(j.to.Out), Bytes: &p.Output,
				SHA256: p.SHA256})
		}
		return nil
	})
}
