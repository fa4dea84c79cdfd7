package forecast

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/pfnamp/pfnamp/cmd/pfnamp/internal/engine"
	"github.com/pfnamp/pfnamp/cmd/pfnamp/internal/fault"
	"github.com/pfnamp/pfnamp/cmd/pfnamp/internal/words"
	"github.com/pfnamp/pfnamp/forecast"
	"github.com/pfnamp/pfnamp/pfn"
	"github.com/pfnamp/pfnamp/tabular"
)

func (j *forecastJob) run(ctx context.Context) error {
	defer j.Close()
	lap := j.Clock.Lap
	return j.Steps(ctx, j.to.Try, j.LoadBundle,
		j.Doing("reading "+filepath.Base(j.From.Train), j.read), lap("read"),
		j.Doing("loading the model", j.OpenModel), lap("model"),
		j.forecast, lap("forecast"), j.write, lap("write"), j.tellResult)
}

func (j *forecastJob) read(ctx context.Context) error {
	read := j.From.Read
	read.Names = []string{j.columns.Target}
	table, err := j.ReadTable(ctx, j.From.Train, read)
	if err != nil {
		return err
	}
	j.table, err = forecast.Read(table, j.columns)
	if j.table != nil {
		j.columns = j.table.Columns
	}
	if err != nil {
		return j.seriesFailure(table, err)
	}
	for _, note := range table.Notes {
		j.Warnf("%s: %s", j.From.Train, note)
	}
	j.noteSeries()
	return nil
}

func (j *forecastJob) forecast(ctx context.Context) error {
	progress := j.Telling()
	progress.Doing, progress.Unit, progress.Total = "", "forecasts", -1
	progress.Begin()
	defer progress.Finish()
	network := forecast.Of(j.Model)
	before := 0 // forecasts of the series that are done
	for i, s := range j.table.Series {
		question := j.question
		question.Progress = func(made, all int) {
			progress.Total = int64(before + all*(len(j.table.Series)-i))
			progress.Count(int64(before + made))
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

func (j *forecastJob) forecastFailure(series int, err error) error {
	if input, ok := errors.AsType[*pfn.InputError](err); ok && j.From.Model != "" {
		return fault.Option("model", j.From.Model+" cannot forecast: "+input.Msg,
			"drop --model, or name one for regression of `pfnamp models list`")
	}
	short, ok := err.(*forecast.ShortError)
	if !ok {
		return engine.MemoryFailure(err, "", 1)
	}
	s := j.table.Series[series]
	unit, _, _ := strings.Cut(s.Step.Name(), " of ") // "step" of "step of 0.5"
	wrong := &tabular.Error{File: j.From.Train, Msg: fmt.Sprintf("a horizon of %s needs %s of "+
		"history of %s; there are %d, too few to learn how far to trust the forecast",
		words.Count(short.Horizon, unit), words.Count(short.Least, unit), j.named(series), short.Values)}
	switch {
	case short.Most > 0:
		wrong.Hint = fmt.Sprintf("use at most --horizon %d", short.Most)
	case short.Seasonless > 0:
		wrong.Hint = fmt.Sprintf("the history is shorter than two seasons of %d: use --season 1 "+
			"--horizon %d", s.Season, min(short.Horizon, short.Seasonless))
	default:
		wrong.Hint = "add earlier rows"
	}
	return wrong
}
