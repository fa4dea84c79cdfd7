package tabular

import (
	"io"
	"strings"

	"github.com/apache/arrow-go/v18/arrow"
)

// formats are the file formats, a row each, in the order in which texts list them. It is the only
// place that knows which there are: names, files and media types, how files begin, readers and
// writers. A function, so that readers and writers may ask it.
func formats() []fileFormat {
	return []fileFormat{csvFormat(), parquetFormat(), arrowFileFormat(), arrowStreamFormat(),
		jsonFormat(), workbookFormat()}
}

// fileFormat is one of the formats.
type fileFormat struct {
	format Format
	name   string   // of Format.String and ParseFormat
	also   []string // what ParseFormat takes besides
	files  []fileName
	// begins tells files by their first bytes; nil for text, which anything else is.
	begins func(head []byte) bool
	text   bool // consists of lines: may be packed and shown
	ends   bool // read from both ends, and so not from a pipe
	keeps  bool // WriteOptions.Metadata
	// open starts to read; nil for a format that is only written.
	open func(in input, name string, opt ReadOptions) (source, error)
	// create starts to write; nil for a format that is only read.
	create func(w io.Writer, to destination) (encoder, error)
	whole  bool // what is written does not depend on batches: rows are grouped before
	steady bool // Flush lets every batch out by itself, ungrouped
}

// fileName is an extension, with the media type that stands for it, if one does, and for text the
// delimiter that it tells.
type fileName struct {
	extension, media string
	delimiter        rune
	readOnly         bool // files of this name are something else to who opens them
}

// input is what a reader may read from.
type input struct {
	stream io.Reader
	file   *io.SectionReader // nil for a pipe
}

// destination is where and how a writer writes.
type destination struct {
	path   string
	schema *arrow.Schema
	meta   arrow.Metadata
	opt    WriteOptions
}

// row is the row of a format, an empty one for Auto and unknown formats.
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

// Written tells whether tables are written in a format.
func (f Format) Written() bool { return f.row().create != nil }

// Read tells whether tables are read in a format.
func (f Format) Read() bool { return f.row().open != nil }

// Text tells whether files of a format consist of lines that people can read.
func (f Format) Text() bool { return f.row().text }

// Streamed tells whether tables of a format are read from beginning to end, as from a pipe.
func (f Format) Streamed() bool { return f.Read() && !f.row().ends }

// Metadata tells whether files of a format keep WriteOptions.Metadata.
func (f Format) Metadata() bool { return f.row().keeps }

// Extension is the extension that files of a format usually have, such as ".csv"; "" for Auto.
func (f Format) Extension() string {
	if row := f.row(); len(row.files) > 0 {
		return row.files[0].extension
	}
	return ""
}

// MediaType is the media type of a format, "" where there is none.
func (f Format) MediaType() string {
	if row := f.row(); len(row.files) > 0 {
		return row.files[0].media
	}
	return ""
}

// FormatOfMedia returns the format that a media type stands for, Auto for none, and of text the
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

// MediaTypes lists the media types of formats, in the order of Formats: of all that are read, or of
// all that are written.
func MediaTypes(has func(Format) bool) []string {
	return usual(has, func(name fileName) string { return name.media })
}

// Extensions lists the usual extensions likewise; files may have others, see FormatOf.
func Extensions(has func(Format) bool) []string {
	return usual(has, func(name fileName) string { return name.extension })
}

// usual lists something of the names with a media type.
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

// namedFile finds the format of a lower-case extension, and what it tells.
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

// either lists texts, the last two with a word between, such as "or".
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
