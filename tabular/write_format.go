package tabular

import (
	"fmt"
	"path/filepath"
	"strings"

	"github.com/apache/arrow-go/v18/arrow"
)

// WriteFormat returns the format in which Create writes a table: the requested one, else the one
// that the extension implies, else CSV for "-". It refuses an extension that implies no format, a
// format that is only read, and a compressed file of a format that is not text.
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
		return Auto, &Error{Msg: "the extension does not imply a format",
			Hint: names + ", or give a format"}
	case format.row().name == "":
		return Auto, &Error{Msg: fmt.Sprintf("unknown format %s", format)}
	case !format.Written():
		return Auto, &Error{Msg: fmt.Sprintf("pfnamp does not write format %s", format), Hint: names}
	case named.readOnly:
		return Auto, &Error{Msg: fmt.Sprintf("pfnamp reads files named %s, but does not write them",
			named.extension),
			Hint: "name it " + format.Extension()}
	case packed != "" && !format.Text():
		e := &Error{Msg: fmt.Sprintf("pfnamp does not write format %s as %s", format, packed)}
		return Auto, e.advise("name it %s: only text tables can be compressed",
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

// mergeMetadata appends pairs to the metadata of a schema; a pair replaces one with the same key.
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
