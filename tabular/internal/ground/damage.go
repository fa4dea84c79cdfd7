package ground

import (
	"errors"
	"fmt"
	"io"
	"regexp"
	"runtime"
	"strings"
)

// ErrContradiction replaces a report about Go itself, such as an index out of range: a decoder has
// followed a wrong declaration in the file.
var ErrContradiction = errors.New("the file contradicts itself")

// ErrEndsEarly replaces an unexpected end of file.
var ErrEndsEarly = errors.New("the file ends early")

// goTexts match Go's own errors inside errors of libraries.
var goTexts = regexp.MustCompile(`runtime error|reflect[:.]|strconv\.|interface conversion|` +
	`makeslice|nil pointer|out of range \[|goroutine |panic|%!|0x[0-9a-f]{4}`)

// Brief shortens a library's report of a damaged file, an error or the value of a panic, to one
// short line. Some reports quote the file.
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

// Recover turns a panic of a decoding library into an *Error. Decoders trust indices in the file,
// so a panic means that the file is damaged.
func Recover(err *error) {
	if p := recover(); p != nil {
		*err = &Error{Msg: "the file is damaged", Err: Brief(p)}
	}
}

// MaxQuoted is the number of characters of a file that a message quotes.
const MaxQuoted = 60

// Cut shortens a text to n characters.
func Cut(text string, n int) string {
	text = strings.ToValidUTF8(text, "?")
	if runes := []rune(text); len(runes) > n {
		return string(runes[:n]) + "..."
	}
	return text
}
