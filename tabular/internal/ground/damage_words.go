package ground

import "regexp"

// libraryWords are what libraries say about damaged files, and the words in their place: a pattern
// takes the text from where it begins to its end, or only itself where it has nothing to add. The
// first one that fits counts.
var libraryWords = []struct {
	pattern *regexp.Regexp
	words   string
}{
	{regexp.MustCompile(`zip: not a valid zip file.*`), "it is no zip archive, as workbooks are"},
	{regexp.MustCompile(`(\bzip|XML syntax error|xml).*: .*`), ErrContradiction.Error()},
	{regexp.MustCompile(`(decompression|(parquet: )?could not decompress page|(codec: )?(brotli|gzip|` +
		`flate|s2|snappy|zstd|lz4)): .*`), "its compressed bytes are damaged"},
	{regexp.MustCompile(`arrow/array: .*not valid utf8.*`), "a text is not valid UTF-8"},
	{regexp.MustCompile(`(arrow/array: )?.*offsets (are not|out of bounds).*`),
		"the places of its values contradict each other"},
	{regexp.MustCompile(`arrow/array: .*null count.*`),
		"its counts of missing values contradict each other"},
	{regexp.MustCompile(`.*contains out of bounds index.*`), "an index is outside of its dictionary"},
	{regexp.MustCompile(`.*(Required field \w+ is not set|error reading struct).*`),
		"a part of its metadata is missing"},
	{regexp.MustCompile(`.*(eof reading|unexpected end).*`), ErrEndsEarly.Error()},
	{regexp.MustCompile(`(arrow/ipc: )+(unknown error while reading|could not read message schema): `),
		""},
	{regexp.MustCompile(`(.*encoder not defined|.*cannot be applied|is of type <UNSET>|arrow/|parquet: |\*parquet|flatbuf|thrift|<UNSET>).*`), ErrContradiction.Error()},
}

// ourWords is a text without the words of libraries.
func ourWords(text string) string {
	for _, w := range libraryWords {
		text = w.pattern.ReplaceAllString(text, w.words)
	}
	return text
}
