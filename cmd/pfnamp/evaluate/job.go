package evaluate

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/fnv"
	"strconv"
	"strings"

	"github.com/pfnamp/pfnamp/cmd/pfnamp/internal/engine"
	"github.com/pfnamp/pfnamp/cmd/pfnamp/internal/fault"
	"github.com/pfnamp/pfnamp/cmd/pfnamp/internal/self"
	"github.com/pfnamp/pfnamp/evaluate"
	"github.com/pfnamp/pfnamp/models"
	"github.com/pfnamp/pfnamp/pfn"
	"github.com/pfnamp/pfnamp/reading"
	"github.com/pfnamp/pfnamp/tabular"
)

func (j *job) openNetwork(ctx context.Context) error {
	engine := j.From.Engine()
	engine.Refit = true
	engine.Batch = max(engine.Batch, j.table.X.Rows)
	if err := j.OpenEngine(ctx, engine); err != nil {
		return err
	}
	j.setting.Model = evaluate.Network{Network: j.Model, Classes: len(j.table.Classes),
		Values: j.From.Fit.Values}
	return nil
}

// check refuses a table that cannot be evaluated, before anything is computed, and lists the cells.
func (j *job) check(context.Context) (err error) {
	if j.setting.Folds > 0 && !j.folds { // groups or times may not allow as many
		j.setting.Folds = j.setting.Plan(j.table).Fitting().Count
	}
	if j.parts, err = j.setting.Divide(j.table); err == nil {
		err = j.checkLimits(j.table, j.Bundle.Manifest.Limits)
	}
	if err != nil {
		return rejected(j.table.Name, j.From.Undivided(err))
	}
	if err := j.checkGate(); err != nil {
		return err
	}
	j.cells = j.setting.TableCells(j.table, j.parts)
	return nil
}

// checkGate refuses conditions about what is not evaluated, and tells of a baseline of other
// settings.
func (j *job) checkGate() error {
	names, labels := j.functionalNames(), j.table.Classes
	if labels != nil && names != nil {
		names = append(names, evaluate.AllClasses)
	}
	if err := j.gate.checkNames(labels != nil, names); err != nil {
		return err
	}
	if other := j.gate.otherSetting(j.settingNames()); other != "" {
		j.Warnf("%s has other settings: %s", j.gate.file, other)
	}
	return nil
}

// functionalNames are those that intervals are scored of.
func (j *job) functionalNames() (names []string) {
	if j.setting.Folds > 0 {
		return nil
	}
	if labels := j.table.Classes; labels != nil {
		for _, label := range labels {
			names = append(names, "p="+label)
		}
		return names
	}
	for _, f := range j.setting.Functionals {
		names = append(names, f.String())
	}
	return names
}

// checkLimits refuses a table if a split or fold has too many rows for the model or its memory.
func (j *job) checkLimits(t evaluate.Table, l models.Limits) error {
	rows, why := 0, ""
	for _, p := range j.parts {
		rows = max(rows, len(p.Read))
		why = fmt.Sprintf("the other folds have %d", rows)
	}
	if j.setting.Folds == 0 { // a surrogate reads what a split predicts
		held := len(j.parts[0].Held)
		rows, why = max(rows, held), fmt.Sprintf("a split reads %d and predicts %d", rows, held)
	}
	if reading.Large(pfn.Matrix{Rows: rows, Cols: t.X.Cols}, len(t.Classes), l) {
		rows, t.X.Cols = min(rows, l.MaxRows, reading.BesideTrees), min(t.X.Cols, l.MaxFeatures)
	}
	if rows > l.MaxRows {
		return &tabular.Error{File: t.Name, Limit: true,
			Msg:  fmt.Sprintf("too many rows: the model reads up to %d, and %s", l.MaxRows, why),
			Hint: fmt.Sprintf("use a random part of the table: --rows %d", 5*l.MaxRows/4)}
	}
	err := j.Model.CheckMemory(rows, t.X.Cols)
	if err != nil {
		err = fmt.Errorf("%s: %w", t.Name, err)
	}
	return engine.MemoryFailure(err, "--rows", float64(rows)/float64(t.X.Rows))
}

// rejected turns what evaluate says of a table into an error about input data.
func rejected(table string, err error) error {
	var split *evaluate.SplitError
	var target *evaluate.TargetError
	switch {
	case errors.As(err, &target):
		return &tabular.Error{File: table, Msg: target.Reason, Hint: target.Remedy}
	case errors.As(err, &split):
		hint := "add rows, or use another --train-share"
		switch {
		case split.Classes > 0:
			hint = "add rows of every class, or predict numbers: --task regression"
		case split.Fits > 0:
			hint = fmt.Sprintf("add rows, or use --folds %d", split.Fits)
		case split.Folds > 0:
			hint = "add rows: no number of --folds leaves a model two rows to read and one to predict"
		}
		return &tabular.Error{File: table, Msg: split.Error(), Hint: hint}
	}
	return err
}

// openStore opens the folder of the results.
func (j *job) openStore(context.Context) (err error) {
	if j.out == "" {
		return nil
	}
	j.store, err = evaluate.OpenStore(j.out, j.settingNames())
	var other *evaluate.StoreError
	switch {
	case errors.As(err, &other):
		return fault.Wrong(other.Error(), fault.OtherFolder)
	case err != nil:
		return fault.Writing(err)
	}
	return nil
}

// settingNames says what the result of a part depends on; the number of splits is not among it, so
// that more can be added later. How the table was read shows in its values.
func (j *job) settingNames() map[string]string {
	s := j.setting
	number := func(x float64) string { return strconv.FormatFloat(x, 'g', -1, 64) }
	names := map[string]string{
		"version": self.Version(), "seed": strconv.FormatUint(s.Seed, 10), "level": number(s.Level),
		"chains": strconv.Itoa(s.Chains), "steps": strconv.Itoa(s.Steps),
		"model":        j.Bundle.Manifest.Name + " " + j.Bundle.Manifest.Version,
		"model sha256": j.Bundle.SHA256(), "members": strconv.Itoa(j.Model.Members()),
		"table " + j.table.Name: fingerprint(j.table.Training),
	}
	if j.From.Running.NoFingerprint {
		names["no-fingerprint"] = strconv.FormatBool(true)
	}
	if s.Folds > 0 {
		j.foldNames(names)
		return names
	}
	names["train-share"], names["bootstrap"] = number(s.Share), strconv.Itoa(s.Refits)
	names["functional"] = strings.Join(j.functionalNames(), ",")
	return names
}

func fingerprint(t pfn.Training) string {
	hash := fnv.New64a()
	fmt.Fprint(hash, t.X.Rows, t.X.Cols, t.Categorical)
	for _, list := range [][]float64{t.X.Data, t.Y} {
		_ = binary.Write(hash, binary.LittleEndian, list) // a hash takes everything
	}
	return fmt.Sprintf("%d rows, %016x", t.X.Rows, hash.Sum64())
}

func (j *job) compute(ctx context.Context) (err error) {
	working := j.Telling()
	working.Doing, working.Unit, working.Total = "", "parts", int64(len(j.cells))
	working.Begin()
	defer working.Finish()
	j.outcomes, err = evaluate.Run(ctx, j.cells, j.store, j.setting.Workers, func(n int) {
		working.Count(int64(n))
	})
	return err
}
