package tabular

import (
	"cmp"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/text/encoding/htmlindex"
)

// Format is a file format that tables are read from and written to.
type Format int

// The formats. Auto means the format implied by the file's extension or its first bytes.
const (
	Auto        Format = iota
	CSV                // delimited text, any delimiter
	Parquet            // Apache Parquet
	ArrowFile          // Arrow IPC file, the same as Feather version 2
	ArrowStream        // Arrow IPC stream
	JSONLines          // an object on every line; read only
	Excel              // a workbook of Excel, .xlsx
)

// String returns the name that ParseFormat accepts.
func (f Format) String() string {
	if f == Auto {
		return "auto"
	}
	return cmp.Or(f.row().name, fmt.Sprintf("Format(%d)", int(f)))
}

// ParseFormat returns the format with this name: auto, csv (also tsv, ssv), parquet, arrow (also
// feather, ipc), arrows, jsonl (also ndjson) or xlsx (also xlsm).
func ParseFormat(name string) (Format, error) {
	name = strings.ToLower(name)
	if name == "" || name == Auto.String() {
		return Auto, nil
	}
	for _, row := range formats {
		if row.name == name || slices.Contains(row.also, name) {
			return row.format, nil
		}
	}
	return Auto, &Error{
		Msg:  fmt.Sprintf("unknown format %q", name),
		Hint: "write one of " + either(FormatNames(Format.Read), "or"),
	}
}

// FormatOf returns the format that a file name's extension implies, or Auto if it implies none. It
// looks through .gz and .zst after the extension; only packed text can be read.
func FormatOf(path string) Format {
	name, _ := stripCompression(strings.ToLower(path))
	row, _ := namedFile(filepath.Ext(name))
	return row.format
}

// BaseName returns the name of a table's file without folder and extensions: "sales.2024" for
// data/sales.2024.csv.gz.
func BaseName(path string) string {
	name := filepath.Base(path)
	_, packed := stripCompression(strings.ToLower(name))
	name = name[:len(name)-len(packed)]
	if FormatOf(name) != Auto {
		name = strings.TrimSuffix(name, filepath.Ext(name))
	}
	return name
}

// stripCompression removes a compression extension and returns it.
func stripCompression(name string) (rest, compression string) {
	for _, ext := range []string{".gz", ".zst"} {
		if strings.HasSuffix(name, ext) {
			return strings.TrimSuffix(name, ext), ext
		}
	}
	return name, ""
}

// ReadOptions are the options for reading a file. The zero value is good for most files.
type ReadOptions struct {
	// Format of the file; Auto takes it from the extension, else from the first bytes. If extension
	// and first bytes agree on a format, Format is ignored.
	Format Format
	// Delimiter between the cells of a text file; 0 takes it from the extension, else from the
	// header and the first rows. If these leave a doubt, the file is refused.
	Delimiter rune
	// Names are columns that the table should have. They settle the delimiter of a text file if one
	// finds more of them in the header than any other, also in place of a Delimiter that finds none:
	// that is meant for another table.
	Names []string
	// NA lists the texts that mean a missing value; nil means DefaultNA() in text files. A number
	// in the list, such as -999, is missing in columns of numbers too. Reading keeps these cells.
	// Learn takes the list of the training table, which also applies to query tables.
	NA []string
	// Decimal is the decimal sign in text files, '.' or ','. If it is 0, Learn finds the sign of
	// every column of the training table, and refuses a column that leaves a doubt. In a query table
	// it is the sign of that table; 0 means that of the training table.
	Decimal byte
	// Encoding of text files, see ParseEncoding; "" means UTF-8, or the encoding of the byte order
	// mark.
	Encoding Encoding
	// Sheet is the name of the sheet of a workbook; "" means the only visible one.
	Sheet string
	// HeaderRow is the line of text, or the row of a sheet, that names the columns, counted from 1.
	// Rows before it, such as a title, are skipped. 0 means the first row that is not empty. Other
	// formats store the names of their columns.
	HeaderRow int
	// BatchRows is the largest number of rows in a batch; 0 means DefaultBatchRows.
	BatchRows int
	// MaxRows limits the rows that ReadAll reads; 0 means no limit. A larger table is an *Error. If a
	// footer has the number of rows, ReadAll fails before it reads them, otherwise once there are too
	// many.
	MaxRows int64
	// MaxBytes limits the memory of a process that reads a table with ReadAll and encodes it, by an
	// estimate in bytes; 0 means DefaultMaxBytes.
	MaxBytes int64
	// RequireEOS refuses an Arrow stream that ends without its end-of-stream marker. The format
	// makes the marker optional; if RequireEOS is false, Reader.Notes mentions a missing marker.
	RequireEOS bool
	// Skip reports columns that are not needed, by name; nil means that all are needed. Parquet and
	// Arrow readers do not decode the cells of skipped columns, so they do not find errors there. A
	// skipped column appears as an unsupported column. Text is always read in full.
	Skip func(column string) bool
	// Stdin is the input for "-"; nil refuses "-".
	Stdin io.Reader
}

// DefaultMaxBytes is the memory limit of ReadAll if ReadOptions.MaxBytes is zero: 14 GiB.
const DefaultMaxBytes = 14 << 30

// Encoding is the character encoding of a text file; "" means UTF-8, or the encoding of the byte
// order mark.
type Encoding string

// ParseEncoding returns the encoding with this name or alias, in any case, of the Encoding Standard
// (https://encoding.spec.whatwg.org): utf-8, utf-16, windows-1250 to windows-1258, koi8-r, gbk,
// shift_jis, ... There latin1 is windows-1252.
func ParseEncoding(name string) (Encoding, error) {
	if name == "" {
		return "", nil
	}
	found, err := htmlindex.Get(name)
	if err == nil {
		name, err = htmlindex.Name(found)
	}
	if err != nil {
		return "", &Error{Msg: fmt.Sprintf("unknown encoding %q", name), Hint: "write one of the " +
			"Encoding Standard, such as utf-16, windows-1252, windows-1250, windows-1251, gbk, shift_jis"}
	}
	return Encoding(name), nil
}
