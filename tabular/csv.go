package tabular

import (
	"path/filepath"
	"strings"

	csvreader "github.com/pfnamp/pfnamp/tabular/internal/csv"
)

// csvFormat is delimited text.
func csvFormat() fileFormat {
	return fileFormat{format: CSV, name: "csv", also: []string{"tsv", "ssv", "tab", "txt"}, text: true,
		files: []fileName{{extension: ".csv", media: "text/csv", delimiter: ','},
			{extension: ".tsv", media: "text/tab-separated-values", delimiter: '\t'},
			{extension: ".tab", delimiter: '\t'}, {extension: ".ssv", delimiter: ';'},
			{extension: ".txt"}},
		open: openCSV, create: newCSVEncoder}
}

// openCSV opens delimited text.
func openCSV(in input, name string, opt ReadOptions) (source, error) {
	with := opt.ground()
	with.Told = rune(extensionDelimiter(name))
	if opt.Format == Auto {
		with.Refuse = func(head []byte) error { return refusePacked(name, head) }
	}
	s, err := csvreader.Open(in.stream, with)
	return apartFrom(s, name, err)
}

// refusePacked returns an error if the first bytes of a packed text show another format.
func refusePacked(name string, head []byte) error {
	if f := foreignBytes(head); f != nil {
		return f.error(name)
	}
	if jsonObject(head) && FormatOf(name) != CSV {
		e := &Error{Msg: "the file looks like format " + JSONLines.String()}
		return e.advise("if it is, add %s %s", OptionFormat, JSONLines)
	}
	return nil
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
