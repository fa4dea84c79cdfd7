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

// refusePacked is the error of a text that was packed, if it is none by its first bytes.
func refusePacked(name string, head []byte) error {
	if f := foreignBytes(head); f != nil {
		return f.error(name)
	}
	if jsonObject(head) && FormatOf(name) != CSV {
		e := &Error{Msg: "it looks like format " + JSONLines.String()}
		return e.advise("say %s %s", OptionFormat, JSONLines)
	}
	return nil
}

// extensionDelimiter is the delimiter that a file name's extension tells, 0 when it tells none:
// .csv does not, as it is used for any.
func extensionDelimiter(file string) byte {
	name, _ := stripCompression(strings.ToLower(file))
	if _, told := namedFile(filepath.Ext(name)); told.delimiter != ',' {
		return byte(told.delimiter)
	}
	return 0
}
