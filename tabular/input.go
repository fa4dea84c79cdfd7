package tabular

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/pfnamp/pfnamp/tabular/internal/ground"
)

// openFile opens a file; it refuses a folder.
func openFile(path string) (*os.File, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, noFile(path, err)
	}
	info, err := f.Stat()
	if err == nil && info.IsDir() {
		err = folder(path)
	}
	if err != nil {
		f.Close()
		return nil, err
	}
	return f, nil
}

// open finds the format and starts the source.
func (r *Reader) open(in io.Reader, opt ReadOptions) error {
	file := section(in)
	if file != nil {
		r.whole = &ground.Whole{In: in, Size: file.Size()}
		in = r.whole
	}
	stream := bufio.NewReader(in)
	head, err := stream.Peek(ground.HeadBytes)
	if err != nil && err != io.EOF {
		return err
	}
	if r.format, err = pickFormat(r.file, opt.Format, head); err != nil {
		return err
	}
	row := r.format.row()
	if row.open == nil {
		return &Error{Msg: fmt.Sprintf("pfnamp does not read format %s", r.format)}
	}
	if file == nil && row.ends {
		e := &Error{Msg: fmt.Sprintf("a file of format %s cannot be read from a pipe", r.format)}
		return e.advise("give the name of a file, or send an Arrow stream with %s %s", OptionFormat,
			ArrowStream)
	}
	if row.ends {
		r.whole = nil // it is not read through whole
	}
	if r.src, err = row.open(input{stream, file}, r.file, opt); err != nil {
		return err
	}
	if noted, ok := r.src.(interface{ beginning() []string }); ok {
		r.notes = noted.beginning()
	}
	return nil
}

// section returns the rest of an input that can be read at any position, nil for other inputs.
func section(in io.Reader) *io.SectionReader {
	file, ok := in.(interface {
		io.ReaderAt
		io.Seeker
	})
	if !ok {
		return nil
	}
	start, err := file.Seek(0, io.SeekCurrent)
	if err != nil { // a pipe is an *os.File too
		return nil
	}
	end, err := file.Seek(0, io.SeekEnd)
	if err == nil {
		_, err = file.Seek(start, io.SeekStart)
	}
	if err != nil {
		return nil
	}
	return io.NewSectionReader(file, start, max(end-start, 0))
}

// pickFormat returns the requested format, else the format that the extension implies, else the one
// that the first bytes imply. It refuses foreign files, and columnar files that are named as text
// or are compressed. If extension and first bytes agree on another format than the requested one,
// they win, because the request is then meant for another table.
func pickFormat(path string, asked Format, head []byte) (Format, error) {
	found, told := sniff(head), FormatOf(path)
	if asked != Auto && (asked == told || told != found || len(head) == 0) {
		return asked, nil
	}
	if err := refuseForeign(path, head); err != nil {
		return Auto, err
	}
	_, packed := stripCompression(strings.ToLower(path))
	switch {
	case told == Auto:
		return found, nil
	case packed != "" && !told.Text():
		return Auto, &Error{
			Msg:  fmt.Sprintf("pfnamp does not read compressed files of format %s", told),
			Hint: "unpack it first",
		}
	case told == CSV && found != CSV && (found == JSONLines || bytes.ContainsFunc(head, control)):
		e := &Error{Msg: fmt.Sprintf("the extension is for text, but the content looks like format %s",
			found)}
		return Auto, e.advise("add %s %s", OptionFormat, found)
	}
	return told, nil
}

// control reports whether r cannot be part of a text.
func control(r rune) bool {
	return r < ' ' && !strings.ContainsRune("\t\r\n", r) || r == '\uFFFD'
}

// sniff returns the format that the first bytes of a file imply.
func sniff(head []byte) Format {
	for _, row := range formats() {
		if row.begins != nil && row.begins(head) {
			return row.format
		}
	}
	return CSV
}
