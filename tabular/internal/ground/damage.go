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
	text := strings.Join(strings.Fields(fmt.Sprint(report)), " ")
	for _, w := range libraryWords {
		text = w.pattern.ReplaceAllString(text, w.words)
	}
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
		*err = &Error{Msg: "the file is damaged", Err: Brief(p), Hint: AgainHint}
	}
}

// Blame returns the error for what a library reports of a file. An *Error stays as it is.
func Blame(msg, hint string, err error) error {
	if located, ok := errors.AsType[*Error](err); ok {
		return located
	}
	return &Error{Msg: msg, Err: Brief(err), Hint: hint}
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

// libraryWords translates reports of libraries about damaged files. A pattern with words replaces
// the text from its match to the end; without words, it removes the match. The first match counts.
var libraryWords = []struct {
	pattern *regexp.Regexp
	words   string
}{
	{regexp.MustCompile(`zip: not a valid zip file.*`), "workbooks are zip archives; this is not one"},
	{regexp.MustCompile(`invalid logical type`),
		"a column has a logical type that pfnamp does not know"},
	{regexp.MustCompile(`(\bzip|XML syntax error|xml).*: .*`), ErrContradiction.Error()},
	{regexp.MustCompile(`((parquet: )?could not decompress page|(codec: )?(brotli|gzip|flate|s2|` +
		`snappy|zstd|lz4)|invalid input): .*`), "the compressed data is damaged"},
	{regexp.MustCompile(`arrow/array: .*not valid utf8.*`), "a text is not valid UTF-8"},
	{regexp.MustCompile(`(arrow/array: )?.*offsets (are not|out of bounds).*`),
		"the offsets of its values contradict each other"},
	{regexp.MustCompile(`arrow/array: .*null count.*`),
		"its counts of missing values contradict each other"},
	{regexp.MustCompile(`.*contains out of bounds index.*`), "an index is outside its dictionary"},
	{regexp.MustCompile(`.*(Required field \w+ is not set|error reading struct).*`),
		"a part of its metadata is missing"},
	{regexp.MustCompile(`.*(eof reading|unexpected end).*`), ErrEndsEarly.Error()},
	{regexp.MustCompile(`(arrow/ipc: )+(unknown error while reading|could not read message schema): `),
		""},
	{regexp.MustCompile(`(.*encoder not defined|.*cannot be applied|is of type <UNSET>|arrow/|parquet: |\*parquet|flatbuf|thrift|<UNSET>).*`), ErrContradiction.Error()},
}
