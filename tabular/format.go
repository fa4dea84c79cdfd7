package tabular

import (
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"
)

// Format is a file format that tables are read from and written to.
type Format int

// The formats. Auto stands for the one that the file's extension or its first bytes tell.
const (
	Auto        Format = iota
	CSV                // delimited text, any delimiter
	Parquet            // Apache Parquet
	ArrowFile          // Arrow IPC file, also known as Feather version 2
	ArrowStream        // Arrow IPC stream
	JSONLines          // an object on every line; read only
	Excel              // a workbook of Excel, .xlsx
)

// String is the name of the format that ParseFormat accepts.
func (f Format) String() string {
	if name := f.row().name; name != "" {
		return name
	}
	if f == Auto {
		return "auto"
	}
	return fmt.Sprintf("Format(%d)", int(f))
}

// ParseFormat returns the format of a name: auto, csv (also tsv, ssv), parquet, arrow (also
// feather, ipc), arrows, jsonl (also ndjson) or xlsx (also xlsm).
func ParseFormat(name string) (Format, error) {
	name = strings.ToLower(name)
	if name == "" || name == Auto.String() {
		return Auto, nil
	}
	for _, row := range formats() {
		if row.name == name || slices.Contains(row.also, name) {
			return row.format, nil
		}
	}
	return Auto, &Error{
		Msg:  fmt.Sprintf("unknown format %q", name),
		Hint: "the formats are " + either(names(Format.Read), "and"),
	}
}

// FormatOf returns the format that a file name's extension tells, Auto where it tells nothing.
// A .gz or .zst after the extension is looked through; only text formats can be read so.
func FormatOf(path string) Format {
	name, _ := stripCompression(strings.ToLower(path))
	row, _ := namedFile(filepath.Ext(name))
	return row.format
}

// BaseName is the name of a table's file without its folder and its extensions: "sales.2024" of
// data/sales.2024.csv.gz.
func BaseName(path string) string {
	name := filepath.Base(path)
	if _, packed := stripCompression(strings.ToLower(name)); packed != "" {
		name = name[:len(name)-len(packed)]
	}
	if FormatOf(name) != Auto {
		name = strings.TrimSuffix(name, filepath.Ext(name))
	}
	return name
}

// stripCompression removes a compression extension and reports which one there was.
func stripCompression(name string) (rest, compression string) {
	for _, ext := range []string{".gz", ".zst"} {
		if strings.HasSuffix(name, ext) {
			return strings.TrimSuffix(name, ext), ext
		}
	}
	return name, ""
}

// ReadOptions says how a file is read. The zero value is good for most files.
type ReadOptions struct {
	// Format of the file; Auto takes it from the extension, else from the first bytes. Where these
	// two agree on another format, that one is read.
	Format Format
	// Delimiter between the cells of a text file; 0 takes it from the extension, else from the
	// header and the first rows, and refuses where they leave a doubt.
	Delimiter rune
	// NA lists the texts that stand for a missing value; nil stands for DefaultNA() in text files.
	// Numbers among them, such as -999, are missing in columns of numbers too. Reading leaves them as
	// they are: Learn takes those of the training table, and they hold for query tables too.
	NA []string
	// Decimal is the sign between a number and its fraction in text files, '.' or ','; 0 lets every
	// column of the training table tell, and refuses one that leaves a doubt. Learn takes that of
	// the training table, and it holds for query tables too.
	Decimal byte
	// Encoding of text files: utf-8, utf-16, windows-1252 or latin1, by ParseEncoding; "" stands for
	// UTF-8, or what a byte order mark tells.
	Encoding Encoding
	// Sheet is the name of the sheet of a workbook; "" stands for the only one that is not hidden.
	Sheet string
	// HeaderRow is the line of text, or the row of a sheet, that names the columns, counted from 1:
	// what stands before, such as a title, is left out. 0 stands for the first one that is not empty.
	// Other formats name their columns themselves.
	HeaderRow int
	// BatchRows is the largest number of rows in a batch; 0 stands for DefaultBatchRows.
	BatchRows int
	// MaxRows bounds the rows that ReadAll takes, 0 for no bound. A table with more of them is an
	// *Error with a *RowsError as its cause. ReadAll knows it before it reads rows if a footer
	// counts them, else as soon as they are too many.
	MaxRows int64
	// MaxBytes bounds what ReadAll may hold, in bytes; 0 stands for DefaultMaxBytes.
	MaxBytes int64
	// RequireEOS refuses an Arrow stream that ends without its end-of-stream marker. The format
	// lets a producer leave it out, so that without this such an end is one of Reader.Notes.
	RequireEOS bool
	// Skip tells columns that are not needed, by name; nil needs all. Parquet and Arrow readers do not
	// decode the cells of the others, which stand there as a column that is not supported does: what
	// is wrong with them is not looked for. Text is read whole.
	Skip func(column string) bool
	// Stdin is what "-" reads from; nil refuses "-".
	Stdin io.Reader
}

// batchRows is the largest number of rows in a batch.
func (o ReadOptions) batchRows() int {
	if o.BatchRows > 0 {
		return o.BatchRows
	}
	return DefaultBatchRows
}

// maxBytes is what ReadAll may hold.
func (o ReadOptions) maxBytes() int64 {
	if o.MaxBytes > 0 {
		return o.MaxBytes
	}
	return DefaultMaxBytes
}

// DefaultMaxBytes bounds what ReadAll holds where ReadOptions.MaxBytes is zero: 2 GiB.
const DefaultMaxBytes = 2 << 30
