package fault

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/pfnamp/pfnamp"
	"github.com/pfnamp/pfnamp/evaluate"
	"github.com/pfnamp/pfnamp/internal/panics"
	"github.com/pfnamp/pfnamp/models"
	"github.com/pfnamp/pfnamp/pfn"
	"github.com/pfnamp/pfnamp/tabular"
)

// DebugVariable is the environment variable that asks for the stack of a panic.
const DebugVariable = "PFNAMP_DEBUG"

// SettingFile is the file of a folder of results that says what made them.
const SettingFile = "setting.json"

// OtherFolder is the remedy for a folder that holds the parts of another job.
const OtherFolder = "name another folder, or delete this one"

// Classify finds out what the user is told of an error: of a signal, if one has stopped the job.
// The message is mostly that of the whole error.
func Classify(ctx context.Context, err error) Error {
	var told Error
	if stopped, ok := errors.AsType[*Error](context.Cause(ctx)); ok && stopped.Kind == Interrupted {
		return *stopped
	}
	if own, ok := errors.AsType[*Error](err); ok {
		told, told.Msg = *own, ""
	} else {
		told = ofLibrary(err)
	}
	if table, ok := errors.AsType[*tabular.Error](err); ok && told.Kind == Output {
		told.File, told.Hint = table.File, TableHint(table)
	}
	told.Code = cmp.Or(told.Code, statuses[told.Kind])
	told.Msg = cmp.Or(told.Msg, strings.ReplaceAll(err.Error(), "\n", "; "))
	return told
}

// ofLibrary tells of the typed errors of the packages.
func ofLibrary(err error) Error {
	var (
		table     *tabular.Error
		input     *pfn.InputError
		limit     *pfn.LimitError
		memory    *pfn.MemoryError
		bundle    *models.Error
		library   *pfn.LibraryError
		device    *pfn.DeviceError
		precision *pfn.PrecisionError
		native    *pfn.NativeError
		model     *pfn.ModelError
		late      *pfn.TimeLimitError
		caught    *panics.Error
		direct    *pfn.NoDirectError
		task      *pfn.TaskError
		state     *pfn.StateError
		same      *pfnamp.SamePosteriorError
		damaged   *evaluate.DamagedError
	)
	switch {
	case errors.As(err, &caught):
		return Error{Kind: Internal, Hint: "this is a bug in pfnamp, or a faulty model: set " +
			DebugVariable + "=1, run again, and report the output"}
	case errors.As(err, &table):
		told := Error{Kind: Input, Hint: TableHint(table), File: table.File, Line: table.Line,
			Row: table.Row, Column: table.Column}
		if table.Limit {
			told.Kind = Limit
		}
		return told
	case errors.As(err, &damaged):
		hint := "delete that file and run the same command again"
		if filepath.Base(damaged.File) == SettingFile {
			hint = OtherFolder
		}
		return Error{Kind: Input, File: damaged.File, Hint: hint}
	case errors.As(err, &same):
		return Error{Kind: Usage, Option: "posterior",
			Hint: "ask for one posterior: --posterior " + string(same.Are)}
	case errors.As(err, &limit):
		return ofLimit(limit)
	case errors.As(err, &memory):
		return Error{Kind: Limit}
	case errors.As(err, &state) && !state.Other:
		return Error{Kind: Input, Hint: state.Hint()}
	case errors.As(err, &state):
		return Error{Kind: Model, Hint: state.Hint()}
	case errors.As(err, &input):
		return Error{Kind: Input}
	case errors.As(err, &library):
		return Error{Kind: Runtime, Hint: library.HintWith("--ort-lib", "--device")}
	case errors.As(err, &late):
		return Error{Kind: Model, Msg: late.Error(), Hint: late.HintWith(
			"--time-limit TIME (none: no limit)")}
	case errors.As(err, &task):
		return Error{Kind: Model, Hint: task.Hint()}
	case errors.As(err, &direct):
		return Error{Kind: Model,
			Hint: strings.Replace(direct.Hint(), "the posterior", "--posterior", 1)}
	case errors.As(err, &bundle), errors.As(err, &device), errors.As(err, &native),
		errors.As(err, &model), errors.As(err, &precision), errors.Is(err, pfn.ErrUnsupported):
		return Error{Kind: Model}
	}
	return Error{Kind: Failed}
}

// ofLimit tells of a table that is too large for a model, or too small.
func ofLimit(e *pfn.LimitError) Error {
	hint := e.Hint()
	switch {
	case e.Got < e.Min:
		return Error{Kind: Input, Hint: hint}
	case e.What == "rows":
		hint = fmt.Sprintf("read %d rows, drawn at random: --subsample %[1]d; or %s", e.Max, hint)
	}
	return Error{Kind: Limit, Hint: hint}
}
