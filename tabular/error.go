package tabular

import (
	"fmt"
	"strings"
)

// Error says what is wrong with a table, where, and what can be done about it. Every error about
// the content of a file that this package returns is, or wraps, an *Error.
type Error struct {
	// File is the name of the file; "" when no file is concerned.
	File string
	// Line is the 1-based line in a text file; 0 when unknown or not a text file.
	Line int64
	// Row is the 1-based data row; 0 when no single row is concerned. It is printed only where
	// Line is 0.
	Row int64
	// Column is the name of the column; "" when no column is concerned.
	Column string
	// Msg says what is wrong: lower case, no full stop.
	Msg string
	// Hint says what can be done about it; "" when there is nothing to say. It names the options
	// of this package as Go does, HintWith as a program does. It is not part of the text that
	// Error returns.
	Hint string
	// Fault tells errors apart on which those who know the model have more to say.
	Fault Fault
	// Limit says that a bound on memory is the reason, not what the file holds.
	Limit bool
	// Err is the cause, where another package reported one; nil otherwise.
	Err error

	advice advice // that Hint is made of, where it names options
}

// Fault is what is wrong with a target; 0 is anything else.
type Fault int

// The faults of targets.
const (
	TargetType   Fault = 1 + iota // of a type that holds no numbers, and not learned as labels
	TargetCells                   // cells that are no finite numbers, and not learned as labels
	TargetLabels                  // learned as labels, but with numbers that are not whole
)

// Error returns the place and the message, such as
//
//	train.csv:17: column "age": "12 kg" is not a number
//	train.parquet: row 3: column "age": null
func (e *Error) Error() string {
	var s strings.Builder
	if e.File != "" {
		s.WriteString(e.File)
		if e.Line > 0 {
			fmt.Fprintf(&s, ":%d", e.Line)
		}
		s.WriteString(": ")
	}
	if e.Line == 0 && e.Row > 0 {
		fmt.Fprintf(&s, "row %d: ", e.Row)
	}
	if e.Column != "" {
		fmt.Fprintf(&s, "column %q: ", e.Column)
	}
	s.WriteString(e.Msg)
	if e.Err != nil {
		if e.Msg != "" {
			s.WriteString(": ")
		}
		s.WriteString(e.Err.Error())
	}
	return s.String()
}

// RowsError says that a table has more rows than ReadOptions.MaxRows.
type RowsError struct {
	Rows int64 // of the table, or as many as were read of it
	More bool  // there are more than Rows
	Max  int64 // that were asked for
}

// Error returns both numbers.
func (e *RowsError) Error() string {
	if e.More {
		return fmt.Sprintf("more than %d rows, at most %d can be used", e.Rows, e.Max)
	}
	return fmt.Sprintf("%d rows, at most %d can be used", e.Rows, e.Max)
}

// Unwrap returns the cause, if any.
func (e *Error) Unwrap() error { return e.Err }
