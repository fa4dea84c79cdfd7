package tabular

import (
	"bytes"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/pfnamp/pfnamp/tabular/internal/ground"
)

// foreignKind is a kind of file that pfnamp does not read and that users may take for a table.
type foreignKind struct {
	name string // with its article
	exts []string
	is   func(head []byte) bool
	// convert is the advice. FROM and TO stand for the quoted names of this file and of the
	// converted file. An argument that must be quoted for a shell stands between ‹ and ›.
	convert string
	to      string // extension of the converted file
}

// foreigners are the foreign files that are recognised, specific ones before general ones.
var foreigners = []foreignKind{
	{"a JSON document", []string{".json", ".geojson"}, jsonList,
		"write one row per line: jq -c ‹.[]› FROM > TO", ".jsonl"},
	{"a Python pickle", []string{".pkl", ".pickle"}, pickle, pandas("read_pickle"), ".parquet"},
	{"a DuckDB database", []string{".duckdb", ".ddb"}, at(8, "DUCK"),
		"export one of its tables: duckdb FROM ‹copy (from \"TABLE\") to 'TO'›", ".parquet"},
	{"an SQLite database", []string{".sqlite", ".sqlite3", ".db"}, at(0, "SQLite format 3\x00"),
		"export one of its tables: sqlite3 -header -csv FROM ‹select * from \"TABLE\"› > TO", ".csv"},
	{"a SAS data set", []string{".sas7bdat"}, at(12, "\xc2\xea\x81\x60\xb3\x14\x11\xcf"),
		pandas("read_sas"), ".parquet"},
	{"a SAS transport file", []string{".xpt"}, at(0, "HEADER RECORD*******"), pandas("read_sas"),
		".parquet"},
	{"a Stata data set", []string{".dta"}, stata, pandas("read_stata"), ".parquet"},
	{"an SPSS data set", []string{".sav", ".zsav"}, at(0, "$FL2@(#)", "$FL3@(#)"),
		pandas("read_spss"), ".parquet"},
	{"an R workspace", []string{".rdata", ".rda"}, at(0, "RDX2\n", "RDX3\n", "RDA2\n", "RDA3\n"),
		"export its table with R: Rscript -e ‹load(\"FROM\"); write.csv(TABLE, \"TO\", " +
			"row.names = FALSE)›", ".csv"},
	{"an R object", []string{".rds"}, at(0, "X\n\x00\x00\x00", "A\n2\n", "A\n3\n"),
		"export it with R: Rscript -e ‹write.csv(readRDS(\"FROM\"), \"TO\", row.names = FALSE)›", ".csv"},
	{"an HDF5 file", []string{".h5", ".hdf5", ".hdf"}, at(0, "\x89HDF\r\n\x1a\n"),
		pandas("read_hdf"), ".parquet"},
	{"an ORC file", []string{".orc"}, orc, pandas("read_orc"), ".parquet"},
	{"an Avro file", []string{".avro"}, at(0, "Obj\x01"),
		"convert it: python3 -c ‹import polars; polars.read_avro(\"FROM\").write_parquet(\"TO\")›",
		".parquet"},
	{"a spreadsheet of LibreOffice", []string{".ods"}, at(30, "mimetypeapplication/vnd.oasis"),
		pandas("read_excel"), ".parquet"},
	{"an old, binary or encrypted Excel workbook", []string{".xls", ".xlsb"},
		at(0, "\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"), "save it as .csv or .xlsx without a password, or " +
			pandas("read_excel"), ".parquet"},
	{"a zip archive", []string{".zip"}, zipped,
		"unpack it: unzip -p FROM > TO (if it holds one table)", ".csv"},
	{"packed by bzip2", []string{".bz2"}, bzip2, "unpack it first: bzip2 -dk FROM", ""},
	{"packed by xz", []string{".xz"}, at(0, "\xfd7zXZ\x00"), "unpack it first: xz -dk FROM", ""},
	{"a PDF document", []string{".pdf"}, at(0, "%PDF-"),
		"a PDF holds a picture of a table: ask its author for the data", ""},
	{"a web page", []string{".html", ".htm"}, html, "if you meant to download a table, the server " +
		"sent a page instead, perhaps a login; to export a table of the page: python3 -c ‹import " +
		"pandas; pandas.read_html(\"FROM\")[0].to_csv(\"TO\", index=False)›", ".csv"},
	{"an XML document", []string{".xml"}, at(0, "<?xml"), pandas("read_xml"), ".parquet"},
}

// pandas returns the command that converts a file with this function of pandas.
func pandas(read string) string {
	return "convert it: python3 -c ‹import pandas; pandas." + read + "(\"FROM\").to_parquet(\"TO\")›"
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

// zipped recognises zip archives.
func zipped(head []byte) bool { return !isWorkbook(head) && at(0, zipMagic, "PK\x05\x06")(head) }

// isWorkbook recognises Excel workbooks by the name of their first part.
func isWorkbook(head []byte) bool {
	return bytes.HasPrefix(head, []byte(zipMagic)) &&
		at(30, "[Content_Types].xml", "_rels/", "docProps/", "xl/")(head)
}

// jsonList recognises a list of records or of lists.
func jsonList(head []byte) bool {
	bracket, inner := jsonHead(head)
	return bracket == '[' && bytes.IndexAny(inner, "{[") == 0
}

// jsonObject recognises JSON lines.
func jsonObject(head []byte) bool {
	bracket, inner := jsonHead(head)
	return bracket == '{' && bytes.HasPrefix(inner, []byte(`"`))
}

// jsonHead returns the first character of a text, 0 if there is none, and the text after it,
// without spaces.
func jsonHead(head []byte) (first byte, rest []byte) {
	const blank = " \t\r\n"
	head = bytes.TrimLeft(bytes.TrimPrefix(head, ground.BOM), blank)
	if len(head) == 0 {
		return 0, nil
	}
	return head[0], bytes.TrimLeft(head[1:], blank)
}

// pickle recognises pickles of protocols 2 to 5.
func pickle(head []byte) bool {
	return len(head) > 2 && head[0] == 0x80 && 2 <= head[1] && head[1] <= 5
}

// stata recognises data sets of Stata 8 and later.
func stata(head []byte) bool {
	old := len(head) > 3 && 0x6e <= head[0] && head[0] <= 0x73 && (head[1] == 1 || head[1] == 2) &&
		head[2] == 1 && head[3] == 0
	return old || bytes.HasPrefix(head, []byte("<stata_dta>"))
}

// orc recognises ORC files, but not texts that begin with these letters.
func orc(head []byte) bool {
	return bytes.HasPrefix(head, []byte("ORC")) && bytes.ContainsFunc(head, control)
}

// bzip2 recognises files packed with bzip2, also empty ones.
func bzip2(head []byte) bool {
	return len(head) > 10 && bytes.HasPrefix(head, []byte("BZh")) &&
		(string(head[4:10]) == "1AY&SY" || string(head[4:10]) == "\x17rE8P\x90")
}

// html recognises web pages.
func html(head []byte) bool {
	head = bytes.ToLower(bytes.TrimLeft(bytes.TrimPrefix(head, ground.BOM), " \t\r\n"))
	return bytes.HasPrefix(head, []byte("<!doctype html")) || bytes.HasPrefix(head, []byte("<html"))
}

// foreignBytes returns the foreign kind of a file by its first bytes, nil if there is none.
func foreignBytes(head []byte) *foreignKind {
	for i, f := range foreigners {
		if f.is(head) {
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

// error returns the error for a file.
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
	return shellHint(e, f.convert, file, to)
}

// shellHint sets a hint that is, or ends in, a shell command.
func shellHint(e *Error, text, file, to string) *Error {
	before, rest, quoted := strings.Cut(text, "‹")
	code, after, _ := strings.Cut(rest, "›")
	var args []any
	fill := func(part string) string { // with names quoted for a shell
		part = strings.ReplaceAll(part, "%", "%%")
		for _, word := range strings.Fields(part) {
			switch word {
			case "FROM":
				args = append(args, shellWord(file))
			case "TO":
				args = append(args, shellWord(to))
			}
		}
		return strings.NewReplacer("FROM", "%s", "TO", "%s").Replace(part)
	}
	format := fill(before)
	if quoted {
		inner := strings.NewReplacer(`"FROM"`, strconv.Quote(file), `"TO"`, strconv.Quote(to),
			"'FROM'", sqlText(file), "'TO'", sqlText(to)).Replace(code)
		args = append(args, shellWord(inner))
		format += "%s" + fill(after)
	}
	return e.Advise(format, args...)
}

// sqlText quotes a text for SQL.
func sqlText(text string) string { return "'" + strings.ReplaceAll(text, "'", "''") + "'" }
