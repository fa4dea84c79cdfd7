package tabular

import jsonreader "github.com/pfnamp/pfnamp/tabular/internal/jsonl"

// jsonFormat is JSON lines.
func jsonFormat() fileFormat {
	return fileFormat{format: JSONLines, name: "jsonl", also: []string{"ndjson"}, text: true,
		files:  []fileName{{extension: ".jsonl", media: "application/x-ndjson"}, {extension: ".ndjson"}},
		begins: jsonObject, open: openJSON}
}

// openJSON opens JSON lines.
func openJSON(in input, name string, opt ReadOptions) (source, error) {
	s, err := jsonreader.Open(in.stream, opt.ground())
	return apartFrom(s, name, err)
}
