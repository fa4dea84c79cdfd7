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
// empty names the columns. Lines end with LF, CRLF or CR; cells are quoted by RFC 4180, and a quote
// anywhere else is an error. Spaces belong to the cell; they count neither around a number nor
// around a text that stands for a missing value. An empty line is skipped where the table has more
// than one column. The delimiter is detected from the header and the first 100 rows; a doubtful one
// is refused, and so are rows of other lengths than the header, and NUL.
//
// A cell has at most 1 MiB, a row 64 MiB, a table 100,000 columns. Packed text may unpack to 64
// MiB, or else to 500 times its size.
//
// JSON lines are UTF-8 with an object on every line. A key is a column, all of them text as in a
// text file; a missing key and null are null. Lists and objects are refused, and so is a key that
// comes first behind 4096 rows or 8 MiB.
//
// Excel workbooks (.xlsx) are read like text, one sheet of them: its first row that is not empty
// names the columns, empty cells are null, dates are ISO 8601, and formulas have the values that
// they were saved with.
//
// # Columnar files
//
// Parquet files, Arrow files and Arrow streams are read in batches, of one row group or record
// batch each. Counts, sizes, offsets, indices and page checksums are checked, within limits.
//
// Nested, encrypted and unknown columns stand among the others with an [UnsupportedType], without
// values, so that the others can be read where these are ignored. Parquet's INT96 is a timestamp in
// microseconds, an enumeration or JSON is text. Types that Parquet does not have become its own: a
// dictionary its values, a duration a whole number. Big-endian Arrow data is refused.
//
// # Output
//
// [Create] refuses what can be found out early; a file appears complete under its name with
// [Writer.Commit], or not at all. Equal rows give equal bytes, however they are cut into batches.
// In text a float is the shortest decimal that reads back as the same number, a null an empty cell,
// an empty text "", and a date or time ISO 8601.
package tabular
