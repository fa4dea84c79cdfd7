package ground

import "regexp"

// libraryWords translates reports of libraries about damaged files. A pattern with words replaces
// the text from its match to the end; without words, it removes the match. The first match counts.
var libraryWords = []struct {
	pattern *regexp.Regexp
	words   string
}{
	{regexp.MustCompile(`zip: not a valid zip file.*`), "workbooks are zip archives; this is not one"},
	{regexp.MustCompile(`(\bzip|XML syntax error|xml).*: .*`), ErrContradiction.Error()},
	{regexp.MustCompile(`(decompression|(parquet: )?could not decompress page|(codec: )?(brotli|gzip|` +
		`flate|s2|snappy|zstd|lz4)): .*`), "the compressed data is damaged"},
	{regexp.MustCompile(`arrow/array: .*not valid utf8.*`), "a text is not valid UTF-8"},
	{regexp.MustCompile(`(arrow/array: )?.*offsets (are not|out of bounds).*`),
		"the offsets of its values contradict each other"},
	{regexp.MustCompile(`arrow/array: .*null count.*`),
		"its counts of missing values contradict each other"},
	{regexp.MustCompile(`.*contains out of bounds index.*`), "an index is outside its dictionary"},
	{regexp.MustCompile(`.*(Required field \w+ is not set|error reading struct).*`),
		"a part of its metadata is missing"},
	{regexp.MustCompile(`.*(eof reading|unexpected end).*`), ErrEndsEarly.Error()},
	{regexp.MustCompile(`(arrow/ipc: )+(unknown error while reading|could not read message schema): `),
		""},
	{regexp.MustCompile(`(.*encoder not defined|.*cannot be applied|is of type <UNSET>|arrow/|parquet: |\*parquet|flatbuf|thrift|<UNSET>).*`), ErrContradiction.Error()},
}

// ourWords returns a text in our words.
func ourWords(text string) string {
	for _, w := range libraryWords {
		text = w.pattern.ReplaceAllString(text, w.words)
	}
	return text
}
