package tabular

import (
	"fmt"
	"path/filepath"
	"strings"

	"github.com/apache/arrow-go/v18/arrow"
)

// WriteFormat is the format that Create writes a table in: the one asked for, else the one that the
// path's extension tells, else CSV for "-". It refuses what Create does by name: an extension that
// tells no format, a format that is only read, a compressed file of a format that is not text.
func WriteFormat(path string, asked Format) (Format, error) {
	format := asked
	if format == Auto {
		format = FormatOf(path)
	}
	if format == Auto && path == "-" {
		format = CSV
	}
	rest, packed := stripCompression(strings.ToLower(path))
	_, named := namedFile(filepath.Ext(rest))
	names := "name it " + either(Extensions(Format.Written), "or")
	switch {
	case format == Auto:
		return Auto, &Error{Msg: "its extension tells no format", Hint: names + ", or give a format"}
	case format.row().name == "":
		return Auto, &Error{Msg: fmt.Sprintf("unknown format %s", format)}
	case !format.Written():
		return Auto, &Error{Msg: fmt.Sprintf("tables are not written in format %s", format), Hint: names}
	case named.readOnly:
		return Auto, &Error{Msg: fmt.Sprintf("files named %s are only read", named.extension),
			Hint: "name it " + format.Extension()}
	case packed != "" && !format.Text():
		e := &Error{Msg: fmt.Sprintf("format %s is not written as %s", format, packed)}
		return Auto, e.advise("name it %s: only tables of text are packed",
			shellWord(path[:len(rest)]))
	}
	return format, nil
}

// checkWritable refuses schemas that no format can hold.
func checkWritable(schema *arrow.Schema) error {
	if err := checkNames(schema); err != nil {
		return err
	}
	for _, f := range schema.Fields() {
		if t, ok := f.Type.(*UnsupportedType); ok {
			return &Error{Column: f.Name,
				Msg: fmt.Sprintf("columns of type %s cannot be written", t.Stored)}
		}
	}
	return nil
}

// mergeMetadata appends pairs to the metadata of a schema; a pair replaces one of the same key.
func mergeMetadata(schema *arrow.Schema, pairs [][2]string) arrow.Metadata {
	old := schema.Metadata()
	var keys, values []string
	added := make(map[string]bool, len(pairs))
	for _, p := range pairs {
		added[p[0]] = true
	}
	for i, key := range old.Keys() {
		if !added[key] {
			keys, values = append(keys, key), append(values, old.Values()[i])
		}
	}
	for _, p := range pairs {
		keys, values = append(keys, p[0]), append(values, p[1])
	}
	return arrow.NewMetadata(keys, values)
}
