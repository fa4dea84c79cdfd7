package tabular

import (
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// fetchers maps the scheme of an address to the command that downloads it into this folder.
var fetchers = map[string]string{
	"http": "curl -LO FROM", "https": "curl -LO FROM", "ftp": "curl -O FROM",
	"s3": "aws s3 cp FROM .", "gs": "gcloud storage cp FROM .", "hdfs": "hdfs dfs -get FROM .",
	"az": "azcopy copy FROM .", "abfss": "azcopy copy FROM .",
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
		return locate(name, noFile(name, err))
	}
	if info.IsDir() {
		return locate(name, folder(name))
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
	switch {
	case ok && known:
		e := &Error{Msg: "this is an address, but pfnamp only reads files"}
		return e.command("download the file first: "+command, name, "")
	case ok && strings.EqualFold(scheme, "file"):
		e := &Error{Msg: "this is an address, but pfnamp only reads files"}
		return e.advise("give the path alone: %s", shellWord(rest))
	case strings.ContainsAny(name, "*?["):
		e := &Error{Msg: "this is a pattern, but pfnamp reads one file"}
		return e.command(joinFiles, name, "all.parquet")
	}
	return cause
}

// joinFiles is the advice to join several files.
const joinFiles = "join the files: duckdb -c ‹copy (from 'FROM') to 'TO'›"

// folder returns the error for a path that is a folder.
func folder(name string) *Error {
	e := &Error{Msg: "is a folder, not a file"}
	entries, _ := os.ReadDir(name)
	i := slices.IndexFunc(entries, func(d fs.DirEntry) bool {
		return slices.Contains([]Format{CSV, Parquet}, FormatOf(d.Name()))
	})
	if i < 0 {
		return e.advise("name a file in it")
	}
	file := path.Join(name, "*"+filepath.Ext(entries[i].Name()))
	return e.command("name a file in it, or "+joinFiles, file, name+"-all.parquet")
}
