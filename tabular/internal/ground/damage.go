package ground

import (
	"errors"
	"fmt"
	"io"
	"regexp"
	"runtime"
	"strings"
)

// ErrContradiction stands for a report in which Go speaks of itself, such as of an index out of
// range: a decoder has followed what the file says of its own bytes.
var ErrContradiction = errors.New("its bytes are not what the file says of them")

// ErrEndsEarly stands for an end of file where there should be more.
var ErrEndsEarly = errors.New("it ends early")

// goTexts are the texts of Go's own errors that libraries put into theirs.
var goTexts = regexp.MustCompile(`runtime error|reflect[:.]|strconv\.|interface conversion|` +
	`makeslice|nil pointer|out of range \[|goroutine |panic|%!|0x[0-9a-f]{4}`)

// Brief is what a library reports of a damaged file, an error or the value of a panic, as one line
// that is not too long: some quote the file.
func Brief(report any) error {
	err, _ := report.(error)
	if e, ok := errors.AsType[*Error](err); ok { // ours
		return e
	}
	text := ourWords(strings.Join(strings.Fields(fmt.Sprint(report)), " "))
	switch _, fault := errors.AsType[runtime.Error](err); {
	case fault || goTexts.MatchString(text):
		return ErrContradiction
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF), strings.HasSuffix(text, "EOF"):
		return ErrEndsEarly
	}
	return errors.New(Cut(text, 4*MaxQuoted))
}

// Recover turns a panic of a library that decodes a file into an *Error. Decoders index
// into what the file claims, so that a panic means damage in the file.
func Recover(err *error) {
	if p := recover(); p != nil {
		*err = &Error{Msg: "damaged file", Err: Brief(p)}
	}
}

// MaxQuoted is how many characters of a file a message quotes.
const MaxQuoted = 60

// Cut shortens a text to n characters.
func Cut(text string, n int) string {
	text = strings.ToValidUTF8(text, "?")
	if runes := []rune(text); len(runes) > n {
		return string(runes[:n]) + "..."
	}
	return text
}
