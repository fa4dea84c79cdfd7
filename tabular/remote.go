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

// fetchers are the commands that copy what an address names to this folder, by its scheme.
var fetchers = map[string]string{
	"http": "curl -LO FROM", "https": "curl -LO FROM", "ftp": "curl -O FROM",
	"s3": "aws s3 cp FROM .", "gs": "gcloud storage cp FROM .", "hdfs": "hdfs dfs -get FROM .",
	"az": "azcopy copy FROM .", "abfss": "azcopy copy FROM .",
}

// CheckPath returns the error that Open has for a path by its name and by what the folder says of
// it, without opening it: nothing of that name, a folder, an address of the web or of a store, a
// pattern with * or ?. The path "-" is in order.
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

// noFile is the error of a path that cannot be opened, which is cause.
func noFile(name string, cause error) error {
	if !errors.Is(cause, fs.ErrNotExist) {
		return cause
	}
	scheme, rest, ok := strings.Cut(name, "://")
	command, known := fetchers[strings.ToLower(scheme)]
	switch {
	case ok && known:
		e := &Error{Msg: "it is an address, and only files are read"}
		return e.command("fetch the file first: "+command, name, "")
	case ok && strings.EqualFold(scheme, "file"):
		e := &Error{Msg: "it is an address, and only files are read"}
		return e.advise("give the path alone: %s", shellWord(rest))
	case strings.ContainsAny(name, "*?["):
		e := &Error{Msg: "it is a pattern, and only one file is read"}
		return e.command(joinFiles, name, "all.parquet")
	}
	return cause
}

// joinFiles is the advice to make one file of several.
const joinFiles = "make one file of them: duckdb -c ‹copy (from 'FROM') to 'TO'›"

// folder is the error of a path that is a folder.
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
