// Package tabular reads tables, learns what their columns are, encodes their rows as numbers, and
// writes tables. It knows nothing of models.
//
//	train, err := tabular.ReadAll(ctx, "train.csv", tabular.ReadOptions{})
//	schema, err := tabular.Learn(train, tabular.SchemaOptions{Target: "y"})
//	x, y, err := schema.Training(train)
//
//	query, err := tabular.Open("query.parquet", tabular.ReadOptions{})
//	notes, err := schema.Match(query.File(), query.Names())
//	for {
//		batch, err := query.Next(ctx) // io.EOF after the last one
//		features, err := schema.Features(batch)
//		id, ok := batch.Column("id") // passed through unchanged
//	}
//
// The types to know:
//
//   - [Table], from [ReadAll], is a whole table. [Reader], from [Open] or [OpenReader], streams one
//     as batches. A [Batch] holds consecutive rows as an Arrow record batch, whatever the format;
//   - [Schema], from [Learn], is what the training table says about the columns. It encodes rows as
//     [Features];
//   - [Writer], from [Create], writes a table;
//   - [Error] says where a table is wrong, and what to do.
//
// The package never guesses silently. It refuses what is doubtful with an [Error], and lists its
// decisions in [Schema.Notes] and [Reader.Notes]. It never prints. Its messages name options as Go
// does; a program puts its own names in place with [Error.HintWith] and [Schema.NotesWith].
//
// # Text files
//
// A text table is UTF-8, with or without a byte order mark, or UTF-16 with one, or has the
// encoding that ReadOptions name, and may be packed by gzip or zstd. Its first line that is not
// empty names the columns: each has a name of its own. Lines end with LF, CRLF or CR, mixed at
// will. By RFC 4180 a cell in double quotes may hold delimiters, line breaks and doubled quotes;
// a quote anywhere else is an error. Spaces belong to the cell; they count neither around a
// number nor around a text that stands for a missing value. An empty line is skipped where the
// table has more than one column; in a table of one column it is a row with an empty cell. A row
// with more or fewer cells than the header is an error, and so are bytes that are not valid
// text, NUL among them.
//
// The delimiter is the one asked for, else that of the extension: tab for .tsv and .tab, semicolon
// for .ssv. Otherwise it is the one among comma, semicolon, tab and bar that cuts the header and
// the first 100 rows into the same number of cells, at least two. Where several do, and where the
// header is a single cell though the rows could be cut, the file is refused.
//
// A cell has at most 1 MiB, a row 64 MiB, a table 100,000 columns. Packed text may unpack to 64
// MiB, or else to 500 times its size.
//
// JSON lines are UTF-8 with an object on every line. A key is a column, all of them text as in a
// text file; a missing key and null are null. Values that are lists or objects are refused, and so
// is a key that comes first behind 4096 rows or 8 MiB.
//
// # Workbooks
//
// Excel workbooks (.xlsx) are read like text, one sheet of them: its first row that is not empty
// names the columns, empty cells are null, dates are ISO 8601, and formulas have the values that
// they were saved with.
//
// # Columnar files
//
// Parquet files, Arrow files and Arrow streams are read in batches, of one row group or record
// batch each, without a goroutine of their own. Nothing that a file declares is believed before it
// is checked: counts against the bytes that must hold them, offsets against data, indices against
// dictionaries, page checksums, decompressed sizes against limits, Arrow text against UTF-8. A page
// has at most 128 MiB, the open pages of a row group 192 MiB or twice the file. The strings of a
// batch have at most 64 MiB, and an Arrow message 128 MiB or 64 times its body. What is wrong is
// one [Error]. An Arrow file is read as the stream that it holds, which must have as many record
// batches as its footer lists.
//
// Nested, encrypted and unknown columns are not represented: they stand among the others with an
// [UnsupportedType], without values, so that the others can be read where these are ignored.
// Parquet's INT96 is a timestamp in microseconds, an enumeration or JSON is text, and a column of
// bytes without annotation stays bytes. Types that Parquet does not have become its own: a
// dictionary its values, a duration a whole number. Big-endian Arrow data is refused.
//
// # Output
//
// [Create] refuses what can be found out early; a file appears complete under its name with
// [Writer.Commit], or not at all. Equal rows give equal bytes, however they are cut into batches:
// there is no time and no version in them. Every type keeps its values; columnar formats keep
// the types, but for dictionaries in Arrow files, which are written as the values that they stand
// for, and views in Parquet, which become plain strings and bytes. In text a float is the
// shortest decimal that reads back as the same number, a null an empty cell, an empty text "",
// and a date or time ISO 8601.
//
// # Numbers and missing values
//
// [ParseNumber] says what a number is: 12, -3.5, .5e-3; not inf, 0x1p3 or 1_000. [Learn] also takes
// columns of numbers with decimal commas, digits in groups, percent signs or a currency.
// [DefaultNA] lists the texts that stand for a missing value in text files. In columnar files
// null and NaN are missing, and every text is a value.
//
// # Kinds
//
// [Learn] decides the [Kind] of a feature from the whole training column. Numbers, dates (days)
// and times (seconds since 1970 UTC; a time without a zone is UTC) become numbers. Text and
// booleans become codes: the position among the sorted categories of the training table, -1 for
// a missing value and for a category that the training table has not. A numeric column stays a
// feature even if it counts the rows; only SchemaOptions leave columns out.
package tabular
