package tabular

import (
	"io"
	"strings"

	"github.com/apache/arrow-go/v18/arrow"
)

// formats lists the file formats in the order of texts. Everything about a format is in its row:
// names, files and media types, first bytes, reader and writer. It is a function, so that readers
// and writers can call it.
func formats() []fileFormat {
	return []fileFormat{csvFormat(), parquetFormat(), arrowFileFormat(), arrowStreamFormat(),
		jsonFormat(), workbookFormat()}
}

// fileFormat describes a format.
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
	open func(in input, name string, opt ReadOptions) (source, error)
	// create starts to write; nil for a format that is only read.
	create func(w io.Writer, to destination) (encoder, error)
	whole  bool // the output does not depend on batches: rows are regrouped first
	steady bool // with Flush, every batch is written by itself
}

// fileName is an extension, its media type if it has one, and for text its delimiter.
type fileName struct {
	extension, media string
	delimiter        rune
	readOnly         bool // other programs expect something else in files with this name
}

// input is the input of a reader.
type input struct {
	stream io.Reader
	file   *io.SectionReader // nil for a pipe
}

// destination is the target and the options of a writer.
type destination struct {
	path   string
	schema *arrow.Schema
	meta   arrow.Metadata
	opt    WriteOptions
}

// row returns the description of a format, an empty one for Auto and unknown formats.
func (f Format) row() fileFormat {
	for _, row := range formats() {
		if row.format == f {
			return row
		}
	}
	return fileFormat{}
}

// Formats lists the formats of files.
func Formats() []Format {
	var list []Format
	for _, row := range formats() {
		list = append(list, row.format)
	}
	return list
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
func (f Format) Extension() string {
	if row := f.row(); len(row.files) > 0 {
		return row.files[0].extension
	}
	return ""
}

// MediaType returns the media type of the format, "" if it has none.
func (f Format) MediaType() string {
	if row := f.row(); len(row.files) > 0 {
		return row.files[0].media
	}
	return ""
}

// FormatOfMedia returns the format of a media type, Auto if there is none, and for text the
// delimiter.
func FormatOfMedia(media string) (Format, rune) {
	for _, row := range formats() {
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
	for _, row := range formats() {
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
	for _, row := range formats() {
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

// names lists the names of formats.
func names(has func(Format) bool) (list []string) {
	for _, row := range formats() {
		if has(row.format) {
			list = append(list, row.name)
		}
	}
	return list
}
