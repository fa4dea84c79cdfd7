package tabular

import (
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/pfnamp/pfnamp/tabular/internal/arrow"
	"github.com/pfnamp/pfnamp/tabular/internal/csv"
	"github.com/pfnamp/pfnamp/tabular/internal/ground"
	"github.com/pfnamp/pfnamp/tabular/internal/jsonl"
	"github.com/pfnamp/pfnamp/tabular/internal/parquet"
	"github.com/pfnamp/pfnamp/tabular/internal/workbook"
)

// formats lists the file formats in the order of texts. Everything about a format is in its row:
// names, files and media types, first bytes, reader and writer.
var formats = []fileFormat{
	{format: CSV, name: "csv", also: []string{"tsv", "ssv", "tab", "txt"}, text: true,
		files: []fileName{{extension: ".csv", media: "text/csv", delimiter: ','},
			{extension: ".tsv", media: "text/tab-separated-values", delimiter: '\t'},
			{extension: ".tab", delimiter: '\t'}, {extension: ".ssv", delimiter: ';'},
			{extension: ".txt"}},
		open: csv.Open, create: csv.NewEncoder, values: true},
	{format: Parquet, name: "parquet", also: []string{"pq"}, ends: true, keeps: true, whole: true,
		files: []fileName{{extension: ".parquet", media: "application/vnd.apache.parquet"},
			{extension: ".pq"}},
		begins: at(0, "PAR1"), open: parquet.Open, create: parquet.NewEncoder},
	{format: ArrowFile, name: "arrow", also: []string{"feather", "ipc"}, ends: true, whole: true,
		keeps: true, // the same as Feather version 2
		files: []fileName{{extension: ".arrow", media: "application/vnd.apache.arrow.file"},
			{extension: ".feather"}, {extension: ".ipc"}},
		values: true, // as a column of a file has one dictionary, and batches may have several
		begins: at(0, "ARROW1"), open: arrow.OpenFile, create: arrow.NewFileEncoder},
	{format: ArrowStream, name: "arrows", whole: true, steady: true, keeps: true,
		files:  []fileName{{extension: ".arrows", media: "application/vnd.apache.arrow.stream"}},
		begins: at(0, "\xff\xff\xff\xff"), open: arrow.OpenStream, create: arrow.NewStreamEncoder},
	{format: JSONLines, name: "jsonl", also: []string{"ndjson"}, text: true,
		files:  []fileName{{extension: ".jsonl", media: "application/x-ndjson"}, {extension: ".ndjson"}},
		begins: jsonObject.Match, open: jsonl.Open},
	{format: Excel, name: "xlsx", also: []string{"xlsm"}, ends: true, whole: true,
		files: []fileName{{extension: ".xlsx",
			media: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"},
			{extension: ".xlsm", readOnly: true}},
		begins: isWorkbook, open: workbook.OpenTable, create: workbook.NewEncoder, values: true},
}

type fileFormat struct {
	format Format
	name   string   // of Format.String and ParseFormat
	also   []string // other names that ParseFormat accepts
	files  []fileName
	// begins recognises files by their first bytes; nil for text, which is everything else.
	begins func(head []byte) bool
	text   bool // consists of lines: may be packed and shown
	ends   bool // read from both ends, so not from a pipe
	keeps  bool // keeps WriteOptions.Metadata
	// open starts to read; nil for a format that is only written.
	open func(in ground.Input, opt ground.Options) (ground.Source, error)
	// create starts to write; nil for a format that is only read.
	create func(w io.Writer, to ground.Output) (ground.Encoder, error)
	whole  bool // the output does not depend on batches: rows are regrouped first
	steady bool // with Flush, every batch is written by itself
	values bool // dictionaries become their values
}

// fileName is an extension, its media type if it has one, and for text its delimiter.
type fileName struct {
	extension, media string
	delimiter        rune
	readOnly         bool // other programs expect something else in files with this name
}

// row returns the description of a format, one of an empty file name for Auto and unknown formats.
func (f Format) row() fileFormat {
	for _, row := range formats {
		if row.format == f {
			return row
		}
	}
	return fileFormat{files: make([]fileName, 1)}
}

// Written reports whether pfnamp writes tables in the format.
func (f Format) Written() bool { return f.row().create != nil }

// Read reports whether pfnamp reads tables in the format.
func (f Format) Read() bool { return f.row().open != nil }

// Text reports whether files of the format consist of lines that people can read.
func (f Format) Text() bool { return f.row().text }

// Streamed reports whether tables of the format can be read from a pipe.
func (f Format) Streamed() bool { return f.Read() && !f.row().ends }

// Metadata reports whether files of the format keep WriteOptions.Metadata.
func (f Format) Metadata() bool { return f.row().keeps }

// Extension returns the usual extension of files in the format, such as ".csv"; "" for Auto.
func (f Format) Extension() string { return f.row().files[0].extension }

// MediaType returns the media type of the format, "" if it has none.
func (f Format) MediaType() string { return f.row().files[0].media }

// FormatOfMedia returns the format of a media type, Auto if there is none, and for text the
// delimiter.
func FormatOfMedia(media string) (Format, rune) {
	for _, row := range formats {
		for _, name := range row.files {
			if media != "" && name.media == media {
				return row.format, name.delimiter
			}
		}
	}
	return Auto, 0
}

// MediaTypes lists the media types of the formats for which has is true, for example [Format.Read],
// in the order of Formats.
func MediaTypes(has func(Format) bool) []string {
	return usual(has, func(name fileName) string { return name.media })
}

// Extensions lists the usual extensions likewise. For other extensions see FormatOf.
func Extensions(has func(Format) bool) []string {
	return usual(has, func(name fileName) string { return name.extension })
}

// usual applies what to the usual file name of every format for which has is true.
func usual(has func(Format) bool, what func(fileName) string) (list []string) {
	for _, row := range formats {
		for _, name := range row.files {
			if has(row.format) && name.media != "" {
				list = append(list, what(name))
			}
		}
	}
	return list
}

// namedFile returns the format of a lower-case extension, and its description.
func namedFile(extension string) (fileFormat, fileName) {
	for _, row := range formats {
		for _, name := range row.files {
			if name.extension == extension {
				return row, name
			}
		}
	}
	return fileFormat{}, fileName{}
}

// either joins texts with commas, the last two with a word such as "or".
func either(list []string, word string) string {
	if len(list) < 2 {
		return strings.Join(list, "")
	}
	last := len(list) - 1
	return strings.Join(list[:last], ", ") + " " + word + " " + list[last]
}

// FormatNames lists the names of the formats for which has is true.
func FormatNames(has func(Format) bool) (list []string) {
	for _, row := range formats {
		if has(row.format) {
			list = append(list, row.name)
		}
	}
	return list
}

// extensionDelimiter returns the delimiter that a file name's extension implies, or 0. The
// extension .csv implies none, because it is used with every delimiter.
func extensionDelimiter(file string) byte {
	name, _ := stripCompression(strings.ToLower(file))
	if _, told := namedFile(filepath.Ext(name)); told.delimiter != ',' {
		return byte(told.delimiter)
	}
	return 0
}

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
		return Auto, e.Advise("name it %s: only text tables can be compressed",
			shellWord(path[:len(rest)]))
	}
	return format, nil
}
