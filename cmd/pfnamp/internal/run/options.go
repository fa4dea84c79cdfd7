package run

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strconv"

	"github.com/urfave/cli/v2"

	"github.com/pfnamp/pfnamp"
	"github.com/pfnamp/pfnamp/amp"
	"github.com/pfnamp/pfnamp/cmd/pfnamp/internal/engine"
	"github.com/pfnamp/pfnamp/cmd/pfnamp/internal/fault"
	"github.com/pfnamp/pfnamp/cmd/pfnamp/internal/flags"
	"github.com/pfnamp/pfnamp/pfn"
	"github.com/pfnamp/pfnamp/tabular"
)

// Options is what `fit` and `predict` share: the training table, or a
// saved state in its place, and the model that reads it.
type Options struct {
	Command string // such as "predict"

	Train string
	Saved bool // train is a saved state
	One   bool // train holds the rows to predict as well
	Fit   pfnamp.FitOptions
	Read  tabular.ReadOptions
	Test  tabular.ReadOptions // Sheet, HeaderRow and Decimal where TEST has others than TRAIN
	Quiet bool                // --quiet or --json
	JSON  bool

	Model   string      // "" for the one that stands for the task
	Task    string      // or flags.ByTarget
	Running pfn.Options // how the model is run, but for what Engine adds
}

// Parse reads the flags that fit and predict share.
func Parse(c *cli.Context) (opt Options, err error) {
	opt = Options{Command: flags.Command(c),
		Quiet: c.Bool("quiet") || c.Bool("json"), JSON: c.Bool("json"),
		Fit: pfnamp.FitOptions{Target: OneColumn(c, "target"), Strict: c.Bool("strict"),
			Group: OneColumn(c, "group"), Time: OneColumn(c, "time")},
		Model: c.String("model"), Task: cmp.Or(c.String("task"), flags.ByTarget),
	}
	if opt.Running, err = engine.Parse(c); err != nil {
		return opt, err
	}
	opt.Running.Members, opt.Running.NoFingerprint = c.Int("members"), c.Bool("no-fingerprint")
	err = Each(c, opt.parseColumns, opt.parseReading, opt.ParseMemory, opt.parseSubsample)
	return opt, err
}

func (o *Options) parseColumns(c *cli.Context) error {
	for _, columns := range []struct {
		flag string
		to   *[]string
	}{
		{"ignore", &o.Fit.Ignore}, {"categorical", &o.Fit.Categorical}, {"numeric", &o.Fit.Numeric},
		{"keep", &o.Fit.Keep}, {"keep-feature", &o.Fit.KeepFeatures},
	} {
		var err error
		if *columns.to, err = List(c, columns.flag); err != nil {
			return err
		}
	}
	o.Fit.Dates, _ = tabular.ParseDates(c.String("dates"))
	o.Fit.KeepRepeated = c.String("repeated") == "keep"
	if !c.IsSet("target-values") || c.String("target-values") == "auto" {
		return nil
	}
	values, err := amp.ParseSupport(c.String("target-values"))
	if err != nil {
		return fault.Option("target-values", strconv.Quote(c.String("target-values"))+
			" is not one of auto, any, whole, LO:HI and whole,LO:HI",
			"whole,0: for counts, 0:1 for shares, 0: for numbers that are not negative")
	}
	o.Fit.Values = &values
	return nil
}

func (o *Options) parseReading(c *cli.Context) error {
	var err error
	refused := func(flag string) error {
		told, _ := errors.AsType[*tabular.Error](err)
		return fault.Option(flag, ": "+told.Error(), told.Hint)
	}
	if o.Read.Format, err = tabular.ParseFormat(c.String("from")); err != nil {
		return refused("from")
	}
	if c.IsSet("na") {
		texts, err := List(c, "na")
		if err != nil {
			return err
		}
		o.Read.NA = append(texts, "")
	}
	o.Read.RequireEOS = c.Bool("require-eos")
	o.Read.Sheet, o.Test.Sheet = c.String("sheet"), c.String("test-sheet")
	o.Read.HeaderRow, o.Test.HeaderRow = c.Int("header-row"), c.Int("test-header-row")
	if o.Read.Encoding, err = tabular.ParseEncoding(c.String("encoding")); err != nil {
		return refused("encoding")
	}
	signs := map[string]*byte{"decimal": &o.Read.Decimal, "test-decimal": &o.Test.Decimal}
	for flag, sign := range signs {
		if text := c.String(flag); text != "" {
			*sign = text[0]
		}
	}
	o.Read.Delimiter, err = parseDelimiter(c.String("delimiter"))
	return err
}

// KeepsAll tells whether --keep asks for every column of TEST.
func (o *Options) KeepsAll() bool { return slices.Equal(o.Fit.Keep, []string{"all"}) }

// SkipUnused lets no column of TRAIN be decoded that is neither used nor among others.
func (o *Options) SkipUnused(others ...string) {
	o.Read.Skip = nil
	ignored, needed := o.Fit.Ignore, append(others, o.Fit.Target)
	if o.One {
		needed = append(needed, o.Fit.Keep...)
	}
	if len(ignored) == 0 || o.One && o.KeepsAll() {
		return
	}
	o.Read.Skip = func(name string) bool {
		return slices.Contains(ignored, name) && !slices.Contains(needed, name)
	}
}

// ParseSource takes the first argument, TRAIN or a STATE, of which some flags were settled.
func (o *Options) ParseSource(c *cli.Context) error {
	path := c.Args().First()
	if o.Saved = pfnamp.IsState(path); o.Saved {
		err := Refuse(c, "cannot change in a saved state ("+path+")",
			"drop it, or run `pfnamp fit` with it",
			"ignore", "categorical", "numeric", "na", "decimal", "members", "subsample", "no-fingerprint",
			"task", "strict", "target-values", "dates", "precision", "repeated",
			"keep-feature")
		if err != nil {
			return err
		}
	}
	return o.ParseTrain(path)
}

// ParseTrain takes the first argument, which may be a saved state where one
// is allowed.
func (o *Options) ParseTrain(path string) error {
	o.Train = path
	if err := tabular.CheckPath(path); err != nil { // a state or a table that is not there
		return err
	}
	if !o.Saved && pfnamp.IsState(path) {
		return IsState(path, "")
	}
	if o.Fit.Target == "" && !o.Saved && filepath.Ext(path) == ".state" {
		return &tabular.Error{File: path, Msg: "the file is not a saved state: its first bytes are " +
			"different",
			Hint: "write it again with pfnamp fit; for a table, name the --target"}
	}
	if o.Fit.Target == "" && !o.Saved {
		return fault.Option("target", "is missing",
			"name the column of "+path+" to predict: --target COLUMN")
	}
	return nil
}

// Engine is how the model is opened.
func (o *Options) Engine() pfn.Options {
	opt := o.Running
	opt.Restore, opt.Late, opt.Batch = o.Saved, o.Saved, o.Read.BatchRows
	return opt
}

func (o *Options) parseSubsample(c *cli.Context) (err error) {
	o.Fit.Seed = c.Uint64("seed")
	switch text := c.String("subsample"); {
	case !c.IsSet("subsample"):
	case text == "none":
		o.Fit.Subsample = pfnamp.WholeTable
	default:
		if o.Fit.Subsample, err = strconv.Atoi(text); err != nil {
			return fault.Option("subsample", fmt.Sprintf("%q is neither a number of rows nor none", text),
				"")
		}
		if o.Fit.Subsample < 2 {
			return fault.Option("subsample", fmt.Sprintf("%d is less than 2", o.Fit.Subsample), "")
		}
	}
	return nil
}

// ParseMemory reads --memory and limits the size of tables by it.
func (o *Options) ParseMemory(c *cli.Context) (err error) {
	o.Running.Memory, err = engine.Memory(c)
	o.Read.MaxBytes = cmp.Or(o.Running.Memory, math.MaxInt64)
	return err
}
