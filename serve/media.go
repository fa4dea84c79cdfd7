package serve

import (
	"cmp"
	"mime"
	"net/http"
	"slices"
	"strconv"
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

// mediaJSON is the media type of a response of the protocol.
const mediaJSON = "application/json"

// delimiters are those of text that is not separated by commas.
var delimiters = map[string]rune{"text/tab-separated-values": '\t'}

// answerMedia is the media type of an answer: the one accepted that is wanted most, of those that can
// be written, else that of the question if it is text, else an Arrow stream.
func answerMedia(accept string, asked tabular.Format) (string, error) {
	list := wanted(accept)
	for _, media := range list {
		if media == "*/*" {
			break
		}
		if media == mediaJSON || mediaTypes[media].Written() {
			return media, nil
		}
	}
	switch {
	case accept != "" && !slices.Contains(list, "*/*"):
		return "", faultf(http.StatusNotAcceptable, "answers are text/csv, text/tab-separated-values, "+
			"application/vnd.apache.arrow.stream, application/vnd.apache.arrow.file, "+
			"application/vnd.apache.parquet or application/json")
	case asked == tabular.CSV:
		return "text/csv", nil
	}
	return "application/vnd.apache.arrow.stream", nil
}

// wanted lists the media types of an Accept header whose weight is above 0, the heaviest first (RFC
// 9110, section 12.5.1).
func wanted(accept string) []string {
	weights := map[string]float64{}
	var list []string
	for part := range strings.SplitSeq(accept, ",") {
		media, parameters, err := mime.ParseMediaType(part)
		if err != nil {
			continue
		}
		weight := 1.0
		if q, given := parameters["q"]; given {
			weight, _ = strconv.ParseFloat(q, 64)
		}
		if _, twice := weights[media]; weight > 0 && !twice {
			weights[media] = weight
			list = append(list, media)
		}
	}
	slices.SortStableFunc(list, func(a, b string) int { return cmp.Compare(weights[b], weights[a]) })
	return list
}
