package serve

import (
	"mime"
	"net/http"
	"slices"
	"strings"

	"github.com/pfnamp/pfnamp/tabular"
)

// mediaTypes are the formats of tables by their media types.
var mediaTypes = map[string]tabular.Format{
	"text/csv":                            tabular.CSV,
	"text/tab-separated-values":           tabular.CSV,
	"application/vnd.apache.arrow.stream": tabular.ArrowStream,
	"application/vnd.apache.arrow.file":   tabular.ArrowFile,
	"application/vnd.apache.parquet":      tabular.Parquet,
	"application/x-ndjson":                tabular.JSONLines,
	"application/octet-stream":            tabular.Auto,
	"application/x-www-form-urlencoded":   tabular.Auto, // what curl says by itself
	"":                                    tabular.Auto,
}

// mediaList lists the media types that tables may have.
func mediaList() []string {
	var list []string
	for media, format := range mediaTypes {
		if format != tabular.Auto {
			list = append(list, media)
		}
	}
	slices.Sort(list)
	return list
}

// answerFormat is the format of an answer and its media type: the first one accepted that can be
// written, else that of the question if it is text, else an Arrow stream.
func answerFormat(accept string, asked tabular.Format) (tabular.Format, string, error) {
	anything := accept == ""
	for part := range strings.SplitSeq(accept, ",") {
		media, _, _ := mime.ParseMediaType(part)
		switch format := mediaTypes[media]; {
		case media == "*/*":
			anything = true
		case format != tabular.Auto && format.Written():
			return format, media, nil
		}
	}
	switch {
	case !anything:
		return 0, "", faultf(http.StatusNotAcceptable, "answers are text/csv, "+
			"application/vnd.apache.arrow.stream, application/vnd.apache.parquet or application/json")
	case asked == tabular.CSV:
		return tabular.CSV, "text/csv", nil
	}
	return tabular.ArrowStream, "application/vnd.apache.arrow.stream", nil
}
