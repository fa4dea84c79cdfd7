package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/pfnamp/pfnamp/cmd/pfnamp/internal/fault"
	"github.com/pfnamp/pfnamp/cmd/pfnamp/internal/stdio"
	"github.com/pfnamp/pfnamp/forecast"
	"github.com/pfnamp/pfnamp/pfn"
	"github.com/pfnamp/pfnamp/tabular"
)

// forecastJob is one run of `pfnamp forecast`. Its methods are its stages, in the order in which
// runForecast calls them.
type forecastJob struct {
	contextJob
	opt   forecastOptions
	start time.Time

	table *forecast.Table
	all   []*forecast.Forecast // by series
}

// checkOutputs refuses destinations that cannot be written, before anything is read.
func (j *forecastJob) checkOutputs(ctx context.Context) error {
	o := &j.opt
	if err := checkKinds(o.out, o.plot, o.report, o.format); err != nil {
		return err
	}
	for _, path := range []string{o.out, o.plot, o.report} {
		if err := checkDistinct(path, o.train); err != nil {
			return err
		}
		if err := tryFile(ctx, path); err != nil {
			return err
		}
	}
	return nil
}

// tryFile opens a file that is to be written, and gives it up.
func tryFile(ctx context.Context, path string) error {
	if path == "" || path == "-" {
		return nil
	}
	if info, err := os.Stat(path); err == nil && !info.Mode().IsRegular() && !info.IsDir() {
		return nil // a device or a named pipe is opened once
	}
	file, err := createFile(ctx, path)
	if err != nil {
		return fault.Unwritable(path, err)
	}
	return fault.Writing(file.Abort())
}

// read reads the table and takes the series out of it.
func (j *forecastJob) read(ctx context.Context) error {
	read := j.from.read
	read.Stdin, read.Names = stdio.Cancellable(ctx, j.std.In), []string{j.opt.columns.Target}
	table, err := stdio.UnlessStopped(ctx, func() (*tabular.Table, error) {
		return tabular.ReadAll(ctx, j.from.train, read)
	}, nil)
	if err != nil {
		return err
	}
	j.table, err = forecast.Read(table, j.opt.columns)
	if j.table != nil {
		j.opt.columns = j.table.Columns
	}
	if err != nil {
		return j.seriesFailure(table, err)
	}
	for _, note := range table.Notes {
		j.warnf("%s: %s", j.from.train, note)
	}
	j.noteSeries()
	return nil
}

// load starts onnxruntime. The graph that reads rows stays loaded, as it reads many times.
func (j *forecastJob) load(ctx context.Context) error {
	opt := j.from.engine()
	opt.Refit = true
	return j.openEngine(ctx, opt)
}

// forecast forecasts every series.
func (j *forecastJob) forecast(ctx context.Context) error {
	working := j.telling()
	working.Doing, working.Unit, working.Total = "", "forecasts", -1
	working.Begin()
	defer working.Finish()
	network := forecast.Of(j.model)
	before := 0 // forecasts of the series that are done
	for i, s := range j.table.Series {
		question := j.opt.question
		question.Progress = func(made, all int) {
			working.Total = int64(before + all*(len(j.table.Series)-i))
			working.Count(int64(before + made))
			if made == all {
				before += all
			}
		}
		f, err := s.Forecast(ctx, network, question)
		if err != nil {
			return j.forecastFailure(i, err)
		}
		j.all = append(j.all, f)
	}
	return nil
}

// forecastFailure words the refusal of a series.
func (j *forecastJob) forecastFailure(series int, err error) error {
	if input, ok := errors.AsType[*pfn.InputError](err); ok && j.from.model != "" {
		return fault.Option("model", j.from.model+" cannot forecast: "+input.Msg,
			"drop --model, or name one for regression of `pfnamp models list`")
	}
	short, ok := err.(*forecast.ShortError)
	if !ok {
		return memoryFailure(err, "", 1)
	}
	s, where := j.table.Series[series], ""
	if name := j.table.Names[series]; name != "" {
		where = fmt.Sprintf(" of %s", quote(name))
	}
	unit, _, _ := strings.Cut(s.Step.Name(), " of ") // "step" of "step of 0.5"
	wrong := &tabular.Error{File: j.from.train, Msg: fmt.Sprintf("a horizon of %s needs %s of "+
		"history%s; there are %d, too few to learn how far to trust the forecast",
		count(short.Horizon, unit), count(short.Least, unit), where, short.Values)}
	switch {
	case short.Most > 0:
		wrong.Hint = fmt.Sprintf("use at most --horizon %d", short.Most)
	case s.Season > 1:
		wrong.Hint = fmt.Sprintf("the history is shorter than two seasons of %d: use --season 1",
			s.Season)
	default:
		wrong.Hint = "add earlier rows"
	}
	return wrong
}
