// Package fault has the one kind of error that the program tells its user: what is wrong, where,
// which option is at fault, what helps, and the exit status.
package fault

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"github.com/pfnamp/pfnamp/internal/atomicfile"
)

// Exit statuses. New ones may be added; an unknown status means failure.
const (
	ExitOK          = 0
	ExitFailed      = 1 // anything not listed below, such as a full disk
	ExitUsage       = 2 // the command line is wrong
	ExitInput       = 3 // a table was rejected
	ExitModel       = 4 // model bundle or onnxruntime missing, unusable or faulty; a panic
	ExitParts       = 5 // some of many tables were left out
	ExitCheck       = 6 // `models verify` found a difference, or --fail-if holds
	ExitLimit       = 7 // the table is larger than the model or memory allows
	ExitInterrupted = 130
	ExitTerminated  = 143
)

// ExitHelp describes the exit statuses.
const ExitHelp = `EXIT STATUS
   0  success
   1  any other failure, such as an output that cannot be written
   2  usage: the command line is wrong
   3  input data rejected: the message names file, row and column
   4  model or onnxruntime missing, incompatible or faulty; an internal error
   5  some tables were refused and skipped (predict --keep-going)
   6  a check failed (check and evaluate --fail-if, models verify)
   7  too many rows or features, or out of memory
   130, 143  stopped by an interrupt or termination signal`

// Kind is what sort of thing is wrong.
type Kind string

// The kinds. An unknown one means failure.
const (
	Failed      Kind = "failed"
	Usage       Kind = "usage"
	Input       Kind = "input"
	Model       Kind = "model"
	Runtime     Kind = "runtime"  // onnxruntime is missing or cannot be loaded
	Internal    Kind = "internal" // a panic
	Parts       Kind = "parts"
	Check       Kind = "check"
	Limit       Kind = "limit"
	Output      Kind = "output"
	Interrupted Kind = "interrupted"
)

// statuses are the exit statuses of the kinds.
var statuses = map[Kind]int{
	Failed: ExitFailed, Output: ExitFailed, Usage: ExitUsage, Input: ExitInput, Model: ExitModel,
	Runtime: ExitModel, Internal: ExitModel, Parts: ExitParts, Check: ExitCheck, Limit: ExitLimit,
	Interrupted: ExitInterrupted,
}

// Error is what --json prints of an error.
type Error struct {
	Code   int    `json:"code"` // the exit status
	Kind   Kind   `json:"kind"`
	Msg    string `json:"error"`
	Option string `json:"option,omitempty"` // the flag at fault, without dashes
	File   string `json:"file,omitempty"`
	Line   int64  `json:"line,omitempty"`
	Row    int64  `json:"row,omitempty"`
	Column string `json:"column,omitempty"`
	Hint   string `json:"hint,omitempty"`

	cause error
}

func (e *Error) Error() string { return e.Msg }
func (e *Error) Unwrap() error { return e.cause }

// New returns an error with a remedy, which may be empty.
func New(kind Kind, msg, hint string) *Error { return &Error{Kind: kind, Msg: msg, Hint: hint} }

// Wrong reports a wrong command line.
func Wrong(msg, hint string) *Error { return New(Usage, msg, hint) }

// Option reports a flag: the message is its name and what is wrong with it, such as "5 is less
// than 10" or ": no such file".
func Option(name, wrong, hint string) *Error {
	if !strings.HasPrefix(wrong, ": ") {
		wrong = " " + wrong
	}
	return &Error{Kind: Usage, Option: name, Msg: "--" + name + wrong, Hint: hint}
}

// TooLarge reports something too large, with what would fit.
func TooLarge(err error, hint string) *Error {
	return &Error{Kind: Limit, Msg: err.Error(), Hint: hint, cause: err}
}

// Writing marks an error as one of an output; nil stays nil.
func Writing(err error) error {
	if err == nil {
		return nil
	}
	return &Error{Kind: Output, Msg: err.Error(), cause: err}
}

// Unwritable is the error of a file that cannot be written.
func Unwritable(path string, err error) error {
	return Writing(fmt.Errorf("%s: cannot be written: %w", path, atomicfile.Cause(err)))
}

// Print tells the user: one line and a hint, or one JSON object.
func (e *Error) Print(w io.Writer, asJSON bool) {
	if asJSON {
		encoder := json.NewEncoder(w)
		encoder.SetEscapeHTML(false)
		_ = encoder.Encode(e) // nothing is left to tell the user with
		return
	}
	fmt.Fprintf(w, "pfnamp: error: %s\n", e.Msg)
	if e.Hint != "" {
		fmt.Fprintf(w, "  hint: %s\n", strings.ReplaceAll(e.Hint, "\n", "\n        "))
	}
}
