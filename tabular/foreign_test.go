package tabular

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/pfnamp/pfnamp/internal/must"
	"github.com/pfnamp/pfnamp/tabular/internal/ground"
)

// foreignFiles are files that are refused: by first bytes, by name, and packed.
var foreignFiles = []struct{ name, head, what, command string }{
	{"a.json", "[\n {\"x\": 1}]", "a JSON document",
		`jq -c '.[]' a.json > a.jsonl`},
	{"a.csv", "\xef\xbb\xbf [\n[\"x\", 1]", "a JSON document", `a.csv > a.jsonl`},
	{"a.json", "", "a JSON document", "jq"},
	{"a.jsonl", "[{\"x\": 1}]", "a JSON document", `a.jsonl > a-converted.jsonl`},
	{"a", "\x80\x05\x95\x00\x00", "a Python pickle", `python3 -c 'import sys, pandas; ` +
		`pandas.read_pickle(sys.argv[1]).to_parquet(sys.argv[2])' a a.parquet`},
	{"my data.duckdb", "12345678DUCK\x40\x00", "a DuckDB database",
		`duckdb -csv 'my data.duckdb' 'from "TABLE"' > 'my data.csv'`},
	{"a.db", "SQLite format 3\x00\x10", "an SQLite database",
		`sqlite3 -header -csv a.db 'select * from "TABLE"' > a.csv`},
	{"a.sas7bdat", strings.Repeat("\x00", 12) + "\xc2\xea\x81\x60\xb3\x14\x11\xcf", "a SAS data set",
		"read_sas"},
	{"a.xpt", "HEADER RECORD*******LIBRARY HEADER RECORD!!!!!!!0", "a SAS transport file", "read_sas"},
	{"a.dta", "<stata_dta><header><release>118", "a Stata data set", "read_stata"},
	{"a.sav", "$FL2@(#) IBM SPSS", "an SPSS data set", "read_spss"},
	{"a.RData", "RDX3\nX\n", "an R workspace", "load(a[1])"},
	{"a.rds", "\x1f\x8b\x08\x00", "an R object", "readRDS(a[1])"},
	{"a.h5", "\x89HDF\r\n\x1a\n\x00", "an HDF5 file", "read_hdf"},
	{"a.orc", "ORC\x0a\x03\x00", "an ORC file", "read_orc"},
	{"a.avro", "Obj\x01\x04\x16avro.codec", "an Avro file", "read_avro"},
	{"a.ods", "PK\x03\x04" + strings.Repeat("\x00", 26) +
		"mimetypeapplication/vnd.oasis.opendocument.spreadsheet", "a spreadsheet of LibreOffice",
		"read_excel"},
	{"a.xls", "\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "an old, binary or encrypted Excel workbook",
		"save it as .csv or .xlsx without a password"},
	{"a.zip", "PK\x03\x04\x14\x00", "a zip archive", "unzip -p a.zip > a.csv"},
	{"a.csv.bz2", "BZh91AY&SY\x00", "packed by bzip2", "bzip2 -dk a.csv.bz2"},
	{"a.csv.xz", "\xfd7zXZ\x00\x00\x04", "packed by xz", "xz -dk a.csv.xz"},
	{"a.pdf", "%PDF-1.7\n", "a PDF document", "ask its author for the data"},
	{"it's.csv", "\n<!DOCTYPE html><html>", "a web page", `'it'\''s.csv' 'it'\''s-converted.csv'`},
	{"a.xml", "<?xml version=\"1.0\"?>", "an XML document", "read_xml"},
}

// shellWords are the words of a program that is used in a shell.
var shellWords = Words{
	Option: ground.GoWords.Option, Column: ground.GoWords.Column,
	Word: func(text string) string {
		if strings.ContainsAny(text, " '\"()") {
			return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'"
		}
		return text
	},
}

func TestForeignFiles(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, c := range foreignFiles {
		must.Succeed(t, os.WriteFile(c.name, []byte(c.head), 0o666))
		_, err := Open(c.name, ReadOptions{})
		not := ", which pfnamp does not read"
		if strings.HasPrefix(c.what, "packed") {
			not = ", which pfnamp does not unpack"
		}
		checkError(t, err, c.name+": the file is "+c.what+not)
		if e, ok := errors.AsType[*Error](err); ok &&
			!strings.Contains(e.HintWith(shellWords), c.command) {
			t.Errorf("%s: hint %s, want %s", c.name, e.HintWith(shellWords), c.command)
		}
	}
	_, err := Open("-", ReadOptions{Stdin: strings.NewReader("%PDF-1.7")})
	checkError(t, err, "stdin: the file is a PDF document, which pfnamp does not read")
	packed := packGzip(t, strings.NewReader("RDX3\nX\n\x00\x00\x00\x03"))
	_, err = OpenReader(strings.NewReader(packed), "a.gz", ReadOptions{})
	checkError(t, err, "a.gz: the file is an R workspace, which pfnamp does not read")
}

// Texts that begin almost as a foreign file does are tables.
func TestNoForeignFiles(t *testing.T) {
	for _, text := range []string{"ORC,a\n1,2\n", "Object,a\n1,2\n", "[a],b\n1,2\n", "{a},b\n1,2\n",
		"<html,b\n1,2\n"[1:], "PK,b\n1,2\n", "BZh,b\n1,2\n", "A,b\n2,1\n", "$FL,b\n1,2\n"} {
		if _, err := OpenReader(strings.NewReader(text), "t", ReadOptions{}); err != nil {
			t.Errorf("%q: %v", text, err)
		}
	}
}

// Paths that are no files of this machine are refused with what would make them ones.
func TestForeignPaths(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, dir := range []string{"empty", "parts"} {
		must.Succeed(t, os.Mkdir(dir, 0o777))
	}
	must.Succeed(t, os.WriteFile(filepath.Join("parts", "1.parquet"), nil, 0o666))
	const address = ": this is an address, but pfnamp only reads files"
	for name, want := range map[string][2]string{
		"https://a.b/c.csv?x=1&y": {address, "curl -LO https://a.b/c.csv?x=1&y"},
		"S3://b/c.parquet":        {address, "aws s3 cp S3://b/c.parquet ."},
		"gs://b/c.parquet":        {address, "gcloud storage cp gs://b/c.parquet ."},
		"file:///tmp/c.csv":       {address, "give the path alone: /tmp/c.csv"},
		"part-*.csv": {": this is a pattern, but pfnamp reads one file",
			`duckdb -c 'copy (from '\''part-*.csv'\'') to '\''all.parquet'\'''`},
		"empty": {": is a folder, not a file", "name a file in it"},
		"parts": {": is a folder, not a file",
			`duckdb -c 'copy (from '\''parts/*.parquet'\'') to '\''parts-all.parquet'\'''`},
		"none.csv": {": no such file or directory", ""},
	} {
		_, err := Open(name, ReadOptions{})
		for _, err := range []error{err, CheckPath(name)} {
			checkError(t, err, name+want[0])
			if e, _ := errors.AsType[*Error](err); e == nil ||
				!strings.HasSuffix(e.HintWith(shellWords), want[1]) {
				t.Errorf("%s: %v, want the hint %s", name, err, want[1])
			}
		}
	}
	if err := CheckPath("none.csv"); !errors.Is(err, fs.ErrNotExist) {
		t.Error("the cause is lost")
	}
	if err := CheckPath("-"); err != nil {
		t.Error(err)
	}
}
