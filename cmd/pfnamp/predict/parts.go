package predict

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/pfnamp/pfnamp/cmd/pfnamp/internal/fault"
	"github.com/pfnamp/pfnamp/internal/atomicfile"
	"github.com/pfnamp/pfnamp/tabular"
)

// part is one of many query tables and the file of its predictions.
type part struct {
	input  string
	output string             // path in the output folder
	name   string             // the same, relative and with slashes
	keys   []tabular.Constant // of the folders of a partition, key=value
}

// manyTables tells whether arguments stand for several query tables: more than one, a folder, or a
// pattern.
func manyTables(tests []string) bool {
	if len(tests) != 1 {
		return len(tests) > 1
	}
	info, err := os.Stat(tests[0])
	return err == nil && info.IsDir() || err != nil && isPattern(tests[0])
}

// isPattern tells whether a path is one with wildcards. Addresses are none.
func isPattern(path string) bool {
	return strings.ContainsAny(path, "*?[") && !strings.Contains(path, "://")
}

// listParts lists the query tables of files, folders and patterns, and where their predictions go:
// under the same names, in the folder out, with the extension of a format if one is given.
// Files that are left out in folders come with them.
func listParts(tests []string, out string, format tabular.Format) (parts []part, left []string,
	err error) {
	from := map[string]string{}
	for _, test := range tests {
		root, files, others, err := expand(test, out)
		if err != nil {
			return nil, nil, err
		}
		left = append(left, others...)
		for _, file := range files {
			rel, err := filepath.Rel(root, file)
			if err != nil {
				return nil, nil, &tabular.Error{File: file, Err: err}
			}
			p := part{input: file, name: filepath.ToSlash(outputName(rel, format)),
				keys: partitionKeys(filepath.Dir(rel))}
			p.output = filepath.Join(out, filepath.FromSlash(p.name))
			if first, twice := from[p.name]; twice {
				return nil, nil, fault.Wrong(fmt.Sprintf("%s and %s would both go to %s", first, file,
					p.output), "predict them into separate folders")
			}
			from[p.name] = file
			parts = append(parts, p)
		}
	}
	return parts, left, nil
}

// expand lists the tables that an argument stands for, in order, and the folder that their names
// are relative to. The folder out of predictions has none.
func expand(test, out string) (root string, files, left []string, err error) {
	info, err := os.Stat(test)
	switch {
	case err == nil && info.IsDir():
		files, left, err = tablesBelow(test+"/", out) // the slash follows a link
		root = test
	case err != nil && isPattern(test):
		files, err = filepath.Glob(test)
		if err != nil {
			return "", nil, nil, fault.Wrong(strconv.Quote(test)+" is not a pattern: "+err.Error(), "")
		}
		for root = filepath.Dir(test); isPattern(root); {
			root = filepath.Dir(root)
		}
	default:
		return filepath.Dir(test), []string{test}, nil, tabular.CheckPath(test)
	}
	if err == nil && len(files) == 0 {
		err = &tabular.Error{File: test, Msg: "no tables found: " +
			strings.Join(tabular.Extensions(tabular.Format.Read), ", ") + ", or compressed, as .csv.gz",
			Hint: "name a folder, or a pattern in quotes: 'data/*.parquet'"}
	}
	return root, files, left, err
}

// tablesBelow lists the tables in a folder and those below, and the files that it leaves out: those
// whose names are not those of tables, and texts, which more often are notes than tables. Names
// that begin with _ or a dot do not count, as engines name what is no data, and neither does the
// folder out, which may be among the others.
func tablesBelow(folder, out string) (files, left []string, err error) {
	err = filepath.WalkDir(folder, func(path string, d fs.DirEntry, err error) error {
		hidden := path != folder && strings.ContainsRune("_.", rune(d.Name()[0]))
		switch {
		case err != nil:
			return &tabular.Error{File: path, Err: atomicfile.Cause(err)}
		case hidden && d.IsDir(), d.IsDir() && path != folder && tabular.SameFile(path, out):
			return filepath.SkipDir
		case hidden, d.IsDir():
		case tabular.FormatOf(path) == tabular.Auto, isNote(path):
			left = append(left, path)
		default:
			files = append(files, path)
		}
		return nil
	})
	return files, left, err
}

// isNote tells whether a file's extension is .txt, packed or not.
func isNote(path string) bool {
	extension := strings.TrimPrefix(filepath.Base(path), tabular.BaseName(path))
	return strings.HasPrefix(strings.ToLower(extension), ".txt")
}

// outputName is the name of the predictions of a table: its own, with the extension of the format
// if one is given or if the table's is no format that is written.
func outputName(name string, format tabular.Format) string {
	ext := filepath.Ext(name)
	told := tabular.FormatOf("x" + ext) // Auto where it tells of compression
	if _, err := tabular.WriteFormat("x"+ext, format); err == nil &&
		(format == tabular.Auto || format == told) {
		return name
	}
	if !format.Written() {
		format = tabular.CSV
	}
	base := strings.TrimSuffix(name, ext)
	if told == tabular.Auto {
		base = strings.TrimSuffix(base, filepath.Ext(base))
	}
	return base + format.Extension()
}

// partitionKeys are the columns that folders named key=value stand for; of two with the same key
// the inner one counts. What is not printable is written as %20 and so on;
// __HIVE_DEFAULT_PARTITION__ is missing.
func partitionKeys(folder string) []tabular.Constant {
	var keys []tabular.Constant
	for name := range strings.SplitSeq(filepath.ToSlash(folder), "/") {
		key, value, ok := strings.Cut(name, "=")
		if !ok || key == "" {
			continue
		}
		key, value = percentDecoded(key), percentDecoded(value)
		if value == "__HIVE_DEFAULT_PARTITION__" {
			value = ""
		}
		keys = slices.DeleteFunc(keys, func(c tabular.Constant) bool { return c.Name == key })
		keys = append(keys, tabular.Constant{Name: key, Value: value})
	}
	return keys
}

// keptKeys lists the keys of folders among the columns to keep. Files leave them out: the names of
// their folders have them, and readers of such folders give a key a type of its own, which collides
// with that of a column.
func keptKeys(parts []part, keep []string) (names []string) {
	for _, p := range parts {
		for _, key := range p.keys {
			if !slices.Contains(names, key.Name) && slices.ContainsFunc(keep,
				func(name string) bool { return name == key.Name || name == "all" }) {
				names = append(names, key.Name)
			}
		}
	}
	return names
}

var percent = regexp.MustCompile("%[0-9A-Fa-f]{2}")

// percentDecoded replaces %20 and the like by what they stand for.
func percentDecoded(text string) string {
	return percent.ReplaceAllStringFunc(text, func(code string) string {
		n, _ := strconv.ParseUint(code[1:], 16, 8)
		return string([]byte{byte(n)})
	})
}
