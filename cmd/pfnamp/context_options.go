package main

import (
	"cmp"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"

	"github.com/urfave/cli/v2"

	"github.com/pfnamp/pfnamp"
	"github.com/pfnamp/pfnamp/amp"
	"github.com/pfnamp/pfnamp/cmd/pfnamp/internal/engine"
	"github.com/pfnamp/pfnamp/cmd/pfnamp/internal/fault"
	"github.com/pfnamp/pfnamp/pfn"
	"github.com/pfnamp/pfnamp/tabular"
)

// contextOptions is what `fit` and `predict` share: the training table, or a
// saved state in its place, and the model that reads it.
type contextOptions struct {
	train string
	saved bool // train is a saved state
	one   bool // train holds the rows to predict as well
	fit   pfnamp.FitOptions
	read  tabular.ReadOptions
	quiet bool // --quiet or --json
	json  bool

	model   string      // "" for the one that stands for the task
	task    string      // or byTarget
	running pfn.Options // of the flags that any model is run with
	members int
	memory  int64 // that the job may take, 0 for any

	contexts int // open at the same time, 0 for 1

	noFingerprint bool // members of TabPFN do not read a hash of the row
}

// parseContext reads the flags that fit and predict share.
func parseContext(c *cli.Context) (contextOptions, error) {
	opt := contextOptions{
		quiet: c.Bool("quiet") || c.Bool("json"), json: c.Bool("json"),
		fit:   pfnamp.FitOptions{Target: oneColumn(c, "target"), Strict: c.Bool("strict")},
		model: c.String("model"), task: cmp.Or(c.String("task"), byTarget), members: c.Int("members"),
		noFingerprint: c.Bool("no-fingerprint"),
	}
	var err error
	if opt.running, err = engine.Parse(c); err != nil {
		return opt, err
	}
	for _, step := range []func(*cli.Context) error{
		opt.parseColumns, opt.parseReading, opt.parseMemory, opt.parseSubsample,
	} {
		if err := step(c); err != nil {
			return opt, err
		}
	}
	return opt, nil
}

// parseColumns reads the lists of columns.
func (o *contextOptions) parseColumns(c *cli.Context) error {
	for _, columns := range []struct {
		flag string
		to   *[]string
	}{
		{"ignore", &o.fit.Ignore}, {"categorical", &o.fit.Categorical}, {"numeric", &o.fit.Numeric},
		{"keep", &o.fit.Keep}, {"keep-feature", &o.fit.KeepFeatures},
	} {
		var err error
		if *columns.to, err = list(c, columns.flag); err != nil {
			return err
		}
	}
	o.fit.Dates, _ = tabular.ParseDates(c.String("dates"))
	o.fit.KeepRepeated = c.String("repeated") == "keep"
	if !c.IsSet("target-values") || c.String("target-values") == "auto" {
		return nil
	}
	values, err := amp.ParseSupport(c.String("target-values"))
	if err != nil {
		return fault.Option("target-values", quote(c.String("target-values"))+
			" is not one of auto, any, whole, LO:HI and whole,LO:HI",
			"whole,0: for counts, 0:1 for shares, 0: for numbers that are not negative")
	}
	o.fit.Values = &values
	return nil
}

// parseReading reads how tables are stored.
func (o *contextOptions) parseReading(c *cli.Context) error {
	var err error
	if o.read.Format, err = tabular.ParseFormat(c.String("from")); err != nil {
		wrong := fault.Option("from", ": "+err.Error(), "")
		if told, ok := errors.AsType[*tabular.Error](err); ok {
			wrong.Hint = told.Hint
		}
		return wrong
	}
	if c.IsSet("na") {
		texts, err := list(c, "na")
		if err != nil {
			return err
		}
		o.read.NA = append(texts, "")
	}
	o.read.HeaderRow = c.Int("header-row")
	o.read.RequireEOS, o.read.Sheet = c.Bool("require-eos"), c.String("sheet")
	if o.read.Encoding, err = tabular.ParseEncoding(c.String("encoding")); err != nil {
		return fault.Option("encoding", ": "+err.Error(),
			"the encodings are utf-8, utf-16, windows-1252 and latin1")
	}
	if sign := c.String("decimal"); sign != "" {
		o.read.Decimal = sign[0]
	}
	o.read.Delimiter, err = parseDelimiter(c.String("delimiter"))
	return err
}

// keepsAll tells whether --keep asks for every column of TEST.
func (o *contextOptions) keepsAll() bool { return slices.Equal(o.fit.Keep, []string{"all"}) }

// skipUnused lets no column of TRAIN be decoded that is neither used nor among others.
func (o *contextOptions) skipUnused(others ...string) {
	o.read.Skip = nil
	ignored, needed := o.fit.Ignore, append(others, o.fit.Target)
	if o.one {
		needed = append(needed, o.fit.Keep...)
	}
	if len(ignored) == 0 || o.one && o.keepsAll() {
		return
	}
	o.read.Skip = func(name string) bool {
		return slices.Contains(ignored, name) && !slices.Contains(needed, name)
	}
}

// parseSource takes the first argument, TRAIN or a STATE, of which some flags were settled.
func (o *contextOptions) parseSource(c *cli.Context) error {
	path := c.Args().First()
	if o.saved = pfnamp.IsState(path); o.saved {
		err := refuse(c, "cannot change in a saved state ("+path+")",
			"drop it, or run `pfnamp fit` with it",
			"ignore", "categorical", "numeric", "na", "decimal", "members", "subsample", "no-fingerprint",
			"task", "strict", "target-values", "dates", "precision", "repeated",
			"keep-feature")
		if err != nil {
			return err
		}
	}
	return o.parseTrain(path)
}

// parseTrain takes the first argument, which may be a saved state where one
// is allowed.
func (o *contextOptions) parseTrain(path string) error {
	o.train = path
	if err := tabular.CheckPath(path); err != nil { // a state or a table that is not there
		return err
	}
	if !o.saved && pfnamp.IsState(path) {
		return isState(path, "")
	}
	if o.fit.Target == "" && !o.saved && filepath.Ext(path) == ".state" {
		return &tabular.Error{File: path, Msg: "the file is not a saved state: its first bytes are " +
			"different",
			Hint: "write it again with pfnamp fit; for a table, name the --target"}
	}
	if o.fit.Target == "" && !o.saved {
		return fault.Option("target", "is missing",
			"name the column of "+path+" to predict: --target COLUMN")
	}
	return nil
}

// engine is how the model is opened.
func (o *contextOptions) engine() pfn.Options {
	opt := o.running
	opt.Members, opt.Restore, opt.Late = o.members, o.saved, o.saved
	opt.NoFingerprint = o.noFingerprint
	opt.Memory, opt.Batch, opt.Contexts = o.memory, o.read.BatchRows, o.contexts
	return opt
}

// parseSubsample reads --subsample and the seed that draws the rows.
func (o *contextOptions) parseSubsample(c *cli.Context) (err error) {
	o.fit.Seed = c.Uint64("seed")
	switch text := c.String("subsample"); {
	case !c.IsSet("subsample"):
	case text == "none":
		o.fit.Subsample = pfnamp.WholeTable
	default:
		if o.fit.Subsample, err = strconv.Atoi(text); err != nil {
			return fault.Option("subsample", fmt.Sprintf("%q is neither a number of rows nor none", text),
				"")
		}
		if o.fit.Subsample < 2 {
			return fault.Option("subsample", fmt.Sprintf("%d is less than 2", o.fit.Subsample), "")
		}
	}
	return nil
}
