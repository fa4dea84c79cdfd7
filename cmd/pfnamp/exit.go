package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"syscall"

	"github.com/pfnamp/pfnamp"
	"github.com/pfnamp/pfnamp/evaluate"
	"github.com/pfnamp/pfnamp/internal/panics"
	"github.com/pfnamp/pfnamp/models"
	"github.com/pfnamp/pfnamp/pfn"
	"github.com/pfnamp/pfnamp/tabular"
)

// Exit statuses. New ones may be added; an unknown status means failure.
const (
	exitOK          = 0
	exitFailed      = 1 // anything not listed below, such as a full disk
	exitUsage       = 2 // the command line is wrong
	exitInput       = 3 // a table was rejected
	exitModel       = 4 // model bundle or onnxruntime missing, unusable or faulty; a panic
	exitParts       = 5 // some of many tables were left out
	exitCheck       = 6 // `models verify` or `parts verify` found a difference
	exitLimit       = 7 // the table is larger than the model or memory allows
	exitInterrupted = 130
	exitTerminated  = 143
)

const exitHelp = `EXIT STATUS
   0  success
   1  any other failure, such as an output that cannot be written
   2  usage: the command line is wrong
   3  input data rejected: the message names file, row and column
   4  model or onnxruntime missing, incompatible or faulty; an internal error
   5  some tables were refused and skipped (predict --keep-going)
   6  a check failed (check and evaluate --fail-if, models verify, models diff, parts verify)
   7  too many rows or features, or out of memory
   130, 143  stopped by an interrupt or termination signal`

// debugVariable is the environment variable that asks for the stack of a panic.
const debugVariable = "PFNAMP_DEBUG"

// checkError reports that a check ran and failed.
type checkError struct{ msg string }

func (e *checkError) Error() string { return e.msg }

// partsError reports that tables were left out.
type partsError struct {
	failed, all int
	out         string
}

func (e *partsError) Error() string {
	return fmt.Sprintf("%d of %s failed; the others are in %s", e.failed, count(e.all, "part"), e.out)
}

// outputError reports an output that cannot be written.
type outputError struct{ err error }

func (e *outputError) Error() string { return e.err.Error() }
func (e *outputError) Unwrap() error { return e.err }

// runtimeError reports that onnxruntime cannot be used.
type runtimeError struct{ msg string }

func (e *runtimeError) Error() string { return e.msg }

// failure describes an error to the user.
type failure struct {
	Code   int    `json:"code"`
	Kind   string `json:"kind"`
	Msg    string `json:"error"`
	File   string `json:"file,omitempty"`
	Line   int64  `json:"line,omitempty"`
	Row    int64  `json:"row,omitempty"`
	Column string `json:"column,omitempty"`
	Hint   string `json:"hint,omitempty"`
}

// classify maps an error to its exit status and hint.
func classify(ctx context.Context, err error) failure {
	f := failure{Code: exitFailed, Kind: "failed", Msg: oneLine(err.Error())}
	var (
		usage *usageError
		check *checkError
		parts *partsError
		child *childError
		out   *outputError
		large *limitError
		sig   signalError
	)
	switch {
	case errors.As(context.Cause(ctx), &sig):
		f.Code, f.Kind, f.Msg = exitInterrupted, "interrupted", sig.Error()
		if sig.sig == syscall.SIGTERM {
			f.Code = exitTerminated
		}
	case errors.As(err, &usage):
		f.Code, f.Kind, f.Hint = exitUsage, "usage", usage.hint
	case errors.As(err, &child): // of several errors, the message is that of all
		f.Code, f.Kind, f.Hint = child.Code, child.Kind, child.Hint
		f.File, f.Line, f.Row, f.Column = child.File, child.Line, child.Row, child.Column
	case errors.As(err, &check):
		f.Code, f.Kind = exitCheck, "check"
	case errors.As(err, &parts):
		f.Code, f.Kind = exitParts, "parts"
		f.Hint = "repair or remove the tables of the failed parts, and run the same command again: it " +
			"does the rest"
	case errors.As(err, &large):
		f.Code, f.Kind, f.Hint = exitLimit, "limit", large.hint
	case errors.As(err, &out):
		f.Kind = "output"
		if table := (*tabular.Error)(nil); errors.As(err, &table) {
			f.File, f.Hint = table.File, tableHint(table)
		}
	default:
		f.classifyLibrary(err)
	}
	return f
}

// directHint is the remedy if a bundle has no posterior of its own.
const directHint = "use --posterior paper or limit, or a bundle with a posterior of its own " +
	"(see `pfnamp models show`)"

// classifyLibrary handles the typed errors of the packages.
func (f *failure) classifyLibrary(err error) {
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
		fault     *pfn.ModelError
		late      *pfn.TimeLimitError
		caught    *panics.Error
		direct    *pfn.NoDirectError
		task      *pfn.TaskError
		state     *pfn.StateError
		crash     *crashError
		runtime   *runtimeError
		same      *pfnamp.SamePosteriorError
		damaged   *evaluate.DamagedError
	)
	switch {
	case errors.As(err, &caught):
		f.Code, f.Kind = exitModel, "internal"
		f.Hint = "this is a bug in pfnamp, or a faulty model: set " + debugVariable +
			"=1, run again, and report the output"
	case errors.As(err, &table):
		f.Code, f.Kind = exitInput, "input"
		f.File, f.Line, f.Row, f.Column = table.File, table.Line, table.Row, table.Column
		f.Hint = tableHint(table)
		if table.Limit {
			f.Code, f.Kind = exitLimit, "limit"
		}
	case errors.As(err, &damaged):
		f.Code, f.Kind, f.File = exitInput, "input", damaged.File
		f.Hint = "delete that file and run the same command again"
		if filepath.Base(damaged.File) == settingFile {
			f.Hint = otherFolder
		}
	case errors.As(err, &same):
		f.Code, f.Kind = exitUsage, "usage"
		f.Hint = fmt.Sprintf("ask for one posterior: --posterior %s", same.Are)
	case errors.As(err, &limit):
		f.Code, f.Kind, f.Hint = exitLimit, "limit", limit.Hint()
		switch {
		case limit.Got < limit.Min:
			f.Code, f.Kind = exitInput, "input"
		case limit.What == "rows":
			f.Hint = fmt.Sprintf("read %d rows, drawn at random: --subsample %[1]d; or %s",
				limit.Max, f.Hint)
		}
	case errors.As(err, &memory):
		f.Code, f.Kind = exitLimit, "limit"
	case errors.As(err, &state):
		f.Code, f.Kind, f.Hint = exitInput, "input", state.Hint()
		if state.Other {
			f.Code, f.Kind = exitModel, "model"
		}
	case errors.As(err, &input):
		f.Code, f.Kind = exitInput, "input"
	case errors.As(err, &library):
		f.Code, f.Kind, f.Hint = exitModel, "runtime", library.HintWith("--ort-lib", "--device")
	case errors.As(err, &late):
		f.Code, f.Kind, f.Msg = exitModel, "model", late.Error()
		f.Hint = late.HintWith("--time-limit TIME (none: no limit)")
	case errors.As(err, &crash):
		f.Code, f.Kind = exitModel, "model"
		f.Hint = "this onnxruntime cannot run the graphs of this model: use another model"
	case errors.As(err, &task):
		f.Code, f.Kind, f.Hint = exitModel, "model", task.Hint()
	case errors.As(err, &direct):
		f.Code, f.Kind, f.Hint = exitModel, "model", directHint
	case errors.As(err, &bundle), errors.As(err, &device), errors.As(err, &native),
		errors.As(err, &fault), errors.As(err, &runtime), errors.As(err, &precision),
		errors.Is(err, pfn.ErrUnsupported):
		f.Code, f.Kind = exitModel, "model"
	}
}

// write prints the failure: one line and a hint, or one JSON object.
func (f failure) write(w io.Writer, asJSON bool) {
	if asJSON {
		encoder := json.NewEncoder(w)
		encoder.SetEscapeHTML(false)
		_ = encoder.Encode(f) // nothing is left to tell the user with
		return
	}
	fmt.Fprintf(w, "pfnamp: error: %s\n", f.Msg)
	if f.Hint != "" {
		fmt.Fprintf(w, "  hint: %s\n", strings.ReplaceAll(f.Hint, "\n", "\n        "))
	}
}

// oneLine joins the lines of joined errors.
func oneLine(s string) string { return strings.ReplaceAll(s, "\n", "; ") }
