package tabular

import (
	"bufio"
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/pfnamp/pfnamp/tabular/internal/ground"
)

// open finds the format and starts the source.
func (r *Reader) open(in io.Reader, opt ReadOptions) error {
	file := section(in)
	if file != nil {
		r.whole = &ground.Whole{In: in, Size: file.Size()}
		in = r.whole
	}
	stream := bufio.NewReaderSize(in, ground.ReadSize)
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
		return e.Advise("give the name of a file, or send an Arrow stream with %s %s", OptionFormat,
			ArrowStream)
	}
	if row.ends {
		r.whole = nil // it is not read through whole
	}
	if row.text {
		if stream, err = ground.Unpack(stream); err != nil {
			return err
		}
	}
	if r.format == CSV && opt.Format == Auto {
		head, _ = stream.Peek(ground.HeadBytes)
		if err := refusePacked(r.file, head); err != nil {
			return err
		}
	}
	r.src, err = row.open(ground.Input{Stream: stream, File: file}, ground.Options{
		BatchRows: cmp.Or(max(opt.BatchRows, 0), DefaultBatchRows), Skip: opt.Skip,
		RequireEOS: opt.RequireEOS, Delimiter: opt.Delimiter, Names: opt.Names,
		Told: extensionDelimiter(r.file), Encoding: string(opt.Encoding), HeaderRow: opt.HeaderRow,
		Sheet: opt.Sheet})
	if err != nil {
		return err
	}
	if noted, ok := r.src.(interface{ Beginning() []string }); ok {
		r.notes = noted.Beginning()
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
		return Auto, e.Advise("add %s %s", OptionFormat, found)
	}
	return told, nil
}

// control reports whether r cannot be part of a text.
func control(r rune) bool {
	return r < ' ' && !strings.ContainsRune("\t\r\n", r) || r == '\uFFFD'
}

// sniff returns the format that the first bytes of a file imply.
func sniff(head []byte) Format {
	for _, row := range formats {
		if row.begins != nil && row.begins(head) {
			return row.format
		}
	}
	return CSV
}

// refusePacked returns an error if the first bytes of a packed text show another format.
func refusePacked(name string, head []byte) error {
	if f := foreignBytes(head); f != nil {
		return f.error(name)
	}
	if jsonObject.Match(head) && FormatOf(name) != CSV {
		e := &Error{Msg: "the file looks like format " + JSONLines.String()}
		return e.Advise("if it is, add %s %s", OptionFormat, JSONLines)
	}
	return nil
}

// fetchers maps the scheme of an address to the command that downloads it into this folder.
var fetchers = map[string]string{
	"http": "curl -LO %s", "https": "curl -LO %s", "ftp": "curl -O %s",
	"s3": "aws s3 cp %s .", "gs": "gcloud storage cp %s .", "hdfs": "hdfs dfs -get %s .",
	"az": "azcopy copy %s .", "abfss": "azcopy copy %s .",
}

// CheckPath returns the error that Open would return for a path, without opening it: the path does
// not exist, is a folder, is an address of the web or a store, or is a pattern with * or ?. The
// path "-" is valid.
func CheckPath(name string) error {
	if name == "-" {
		return nil
	}
	info, err := os.Stat(name)
	if err != nil {
		return ground.Locate(name, noFile(name, err))
	}
	if info.IsDir() {
		return ground.Locate(name, folder(name))
	}
	return nil
}

// noFile returns the error for a path that cannot be opened because of cause.
func noFile(name string, cause error) error {
	if !errors.Is(cause, fs.ErrNotExist) {
		return cause
	}
	scheme, rest, ok := strings.Cut(name, "://")
	command, known := fetchers[strings.ToLower(scheme)]
	address := &Error{Msg: "this is an address, but pfnamp only reads files"}
	switch {
	case ok && known:
		return address.Advise("download the file first: "+command, shellWord(name))
	case ok && strings.EqualFold(scheme, "file"):
		return address.Advise("give the path alone: %s", shellWord(rest))
	case strings.ContainsAny(name, "*?["):
		e := &Error{Msg: "this is a pattern, but pfnamp reads one file"}
		return joinFiles(e, "", name, "all.parquet")
	}
	return cause
}

// joinFiles advises to join the files of a pattern.
func joinFiles(e *Error, also, pattern, to string) *Error {
	sql := func(text string) string { return "'" + strings.ReplaceAll(text, "'", "''") + "'" }
	return e.Advise(also+"join the files: duckdb -c %s",
		shellWord("copy (from "+sql(pattern)+") to "+sql(to)))
}

func folder(name string) *Error {
	e := &Error{Msg: "is a folder, not a file"}
	entries, _ := os.ReadDir(name)
	i := slices.IndexFunc(entries, func(d fs.DirEntry) bool {
		return slices.Contains([]Format{CSV, Parquet}, FormatOf(d.Name()))
	})
	if i < 0 {
		return e.Advise("name a file in it")
	}
	file := path.Join(name, "*"+filepath.Ext(entries[i].Name()))
	return joinFiles(e, "name a file in it, or ", file, name+"-all.parquet")
}

// SameFile reports whether two paths lead to the same file, through links or not. Paths that cannot
// be followed, as of files that do not exist, are the same only if both name the same place. "" and
// "-" are no files.
func SameFile(a, b string) bool {
	if none := []string{"", "-"}; slices.Contains(none, a) || slices.Contains(none, b) {
		return false
	}
	first, errA := os.Stat(a)
	second, errB := os.Stat(b)
	if errA == nil || errB == nil {
		return errA == nil && errB == nil && os.SameFile(first, second)
	}
	places := [2]string{a, b}
	for i, path := range places {
		if full, err := filepath.Abs(path); err == nil {
			path = full
		}
		dir, name := filepath.Split(path)
		if real, err := filepath.EvalSymlinks(dir); err == nil {
			dir = real
		}
		places[i] = filepath.Join(dir, name)
	}
	return places[0] == places[1]
}
