package tabular

import (
	"bytes"
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/pfnamp/pfnamp/tabular/internal/ground"
)

// foreignKind is a kind of file that pfnamp does not read and that users may take for a table.
type foreignKind struct {
	name string // with its article
	exts []string
	is   func(head []byte) bool // nil: only the extension tells
	// convert is the advice, for the name of this file and that of the converted one, whose extension
	// is to.
	convert string
	to      string
}

// foreigners are the foreign files that are recognised, specific ones before general ones.
var foreigners = []foreignKind{
	{"a JSON document", []string{".json", ".geojson"}, jsonList.Match,
		"write one row per line: jq -c '.[]' %s > %s", ".jsonl"},
	{"a Python pickle", []string{".pkl", ".pickle"}, at(0, "\x80\x02", "\x80\x03", "\x80\x04",
		"\x80\x05"), pandas("read_pickle"), ".parquet"},
	{"a DuckDB database", []string{".duckdb", ".ddb"}, at(8, "DUCK"),
		"export one of its tables: duckdb -csv %s 'from \"TABLE\"' > %s", ".csv"},
	{"an SQLite database", []string{".sqlite", ".sqlite3", ".db"}, at(0, "SQLite format 3\x00"),
		"export one of its tables: sqlite3 -header -csv %s 'select * from \"TABLE\"' > %s",
		".csv"},
	{"a SAS data set", []string{".sas7bdat"}, at(12, "\xc2\xea\x81\x60\xb3\x14\x11\xcf"),
		pandas("read_sas"), ".parquet"},
	{"a SAS transport file", []string{".xpt"}, at(0, "HEADER RECORD*******"), pandas("read_sas"),
		".parquet"},
	{"a Stata data set", []string{".dta"}, at(0, "<stata_dta>"), pandas("read_stata"), ".parquet"},
	{"an SPSS data set", []string{".sav", ".zsav"}, at(0, "$FL2@(#)", "$FL3@(#)"),
		pandas("read_spss"), ".parquet"},
	{"an R workspace", []string{".rdata", ".rda"}, at(0, "RDX2\n", "RDX3\n", "RDA2\n", "RDA3\n"),
		"export its table with R: Rscript -e 'a <- commandArgs(TRUE); load(a[1]); " +
			"write.csv(TABLE, a[2], row.names = FALSE)' %s %s", ".csv"},
	{"an R object", []string{".rds"}, at(0, "X\n\x00\x00\x00", "A\n2\n", "A\n3\n"),
		"export it with R: Rscript -e 'a <- commandArgs(TRUE); write.csv(readRDS(a[1]), a[2], " +
			"row.names = FALSE)' %s %s", ".csv"},
	{"an HDF5 file", []string{".h5", ".hdf5", ".hdf"}, at(0, "\x89HDF\r\n\x1a\n"),
		pandas("read_hdf"), ".parquet"},
	{"an ORC file", []string{".orc"}, nil, pandas("read_orc"), ".parquet"},
	{"an Avro file", []string{".avro"}, at(0, "Obj\x01"),
		"convert it: python3 -c 'import sys, polars; polars.read_avro(sys.argv[1])." +
			"write_parquet(sys.argv[2])' %s %s", ".parquet"},
	{"a spreadsheet of LibreOffice", []string{".ods"}, at(30, "mimetypeapplication/vnd.oasis"),
		pandas("read_excel"), ".parquet"},
	{"an old, binary or encrypted Excel workbook", []string{".xls", ".xlsb"},
		at(0, "\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"), "save it as .csv or .xlsx without a password, or " +
			pandas("read_excel"), ".parquet"},
	{"a zip archive", []string{".zip"}, func(head []byte) bool {
		return !isWorkbook(head) && at(0, zipMagic, "PK\x05\x06")(head)
	},
		"unpack it: unzip -p %s > %s (if it holds one table)", ".csv"},
	{"packed by bzip2", []string{".bz2"}, at(4, "1AY&SY"), "unpack it first: bzip2 -dk %s", ""},
	{"packed by xz", []string{".xz"}, at(0, "\xfd7zXZ\x00"), "unpack it first: xz -dk %s", ""},
	{"a PDF document", []string{".pdf"}, at(0, "%PDF-"),
		"a PDF holds a picture of a table: ask its author for the data", ""},
	{"a web page", []string{".html", ".htm"}, at(0, "<!DOCTYPE html", "<!doctype html", "<html"),
		"if you meant to download a table, the server sent a page instead, perhaps a login; to export " +
			"a table of the page: python3 -c 'import sys, pandas; " +
			"pandas.read_html(sys.argv[1])[0].to_csv(sys.argv[2], index=False)' %s %s", ".csv"},
	{"an XML document", []string{".xml"}, at(0, "<?xml"), pandas("read_xml"), ".parquet"},
}

// pandas returns the command that converts a file with this function of pandas.
func pandas(read string) string {
	return "convert it: python3 -c 'import sys, pandas; pandas." + read +
		"(sys.argv[1]).to_parquet(sys.argv[2])' %s %s"
}

// at recognises files that have one of these texts at an offset.
func at(offset int, texts ...string) func(head []byte) bool {
	return func(head []byte) bool {
		return len(head) >= offset && slices.ContainsFunc(texts, func(text string) bool {
			return bytes.HasPrefix(head[offset:], []byte(text))
		})
	}
}

// zipMagic is the start of a zip archive.
const zipMagic = "PK\x03\x04"

// isWorkbook recognises Excel workbooks by the name of their first part.
func isWorkbook(head []byte) bool {
	return bytes.HasPrefix(head, []byte(zipMagic)) &&
		at(30, "[Content_Types].xml", "_rels/", "docProps/", "xl/")(head)
}

// jsonList is the beginning of a list of records or of lists, jsonObject that of JSON lines.
var (
	jsonList   = regexp.MustCompile(`^\x{FEFF}?[ \t\r\n]*\[[ \t\r\n]*[{[]`)
	jsonObject = regexp.MustCompile(`^\x{FEFF}?[ \t\r\n]*\{[ \t\r\n]*"`)
)

// foreignBytes returns the foreign kind of a file by its first bytes, nil if there is none.
func foreignBytes(head []byte) *foreignKind {
	text := bytes.TrimLeft(bytes.TrimPrefix(head, ground.BOM), " \t\r\n")
	for i, f := range foreigners {
		if f.is != nil && (f.is(head) || f.is(text)) {
			return &foreigners[i]
		}
	}
	return nil
}

// refuseForeign returns an error if a file is foreign by its first bytes, or by its name if the
// bytes do not show a supported format.
func refuseForeign(name string, head []byte) error {
	named := FormatOf(name) == Excel && bytes.HasPrefix(head, []byte(zipMagic))
	if f := foreignBytes(head); f != nil && !named {
		return f.error(name)
	}
	ext := filepath.Ext(strings.ToLower(name))
	for _, f := range foreigners {
		if slices.Contains(f.exts, ext) && sniff(head) == CSV {
			return f.error(name)
		}
	}
	return nil
}

func (f foreignKind) error(name string) error {
	file := name
	if name == "stdin" {
		file = "data" + f.exts[0]
	}
	to := strings.TrimSuffix(file, filepath.Ext(file)) + f.to
	if to == file { // the name is that of the converted file already
		to = strings.TrimSuffix(file, f.to) + "-converted" + f.to
	}
	e := &Error{Msg: fmt.Sprintf("the file is %s, which pfnamp does not read", f.name)}
	if strings.HasPrefix(f.name, "packed") {
		e.Msg = "the file is " + f.name + ", which pfnamp does not unpack"
	}
	names := []any{shellWord(file), shellWord(to)}
	return e.Advise(f.convert, names[:strings.Count(f.convert, "%")]...)
}
