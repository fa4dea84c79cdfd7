package tabular

import (
	"errors"
	"fmt"
	"io"
	"regexp"
	"runtime"
	"strings"
)

// errContradiction stands for a report in which Go speaks of itself, such as of an index out of
// range: a decoder has followed what the file says of its own bytes.
var errContradiction = errors.New("its bytes are not what the file says of them")

// errEndsEarly stands for an end of file where there should be more.
var errEndsEarly = errors.New("it ends early")

// goTexts are the texts of Go's own errors that libraries put into theirs.
var goTexts = regexp.MustCompile(`runtime error|reflect[:.]|strconv\.|interface conversion|` +
	`makeslice|nil pointer|out of range \[|goroutine |panic|%!|0x[0-9a-f]{4}`)

// brief is what a library reports of a damaged file, an error or the value of a panic, as one line
// that is not too long: some quote the file.
func brief(report any) error {
	err, _ := report.(error)
	if e, ok := errors.AsType[*Error](err); ok { // ours
		return e
	}
	text := ourWords(strings.Join(strings.Fields(fmt.Sprint(report)), " "))
	switch _, fault := errors.AsType[runtime.Error](err); {
	case fault || goTexts.MatchString(text):
		return errContradiction
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF), strings.HasSuffix(text, "EOF"):
		return errEndsEarly
	}
	return errors.New(cutTo(text, 4*maxQuoted))
}

// recoverDamage turns a panic of a library that decodes a file into an *Error. Decoders index
// into what the file claims, so that a panic means damage in the file.
func recoverDamage(file string, err *error) {
	if p := recover(); p != nil {
		*err = &Error{File: file, Msg: "damaged file", Err: brief(p)}
	}
}
