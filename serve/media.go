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

// anyMedia are media types of bodies that say nothing of the format; the last one is curl's own.
var anyMedia = []string{"application/octet-stream", "", "application/x-www-form-urlencoded"}

// mediaJSON is the media type of a response of the protocol.
const mediaJSON = "application/json"

// answerMedia is the media type of an answer: the one accepted that is wanted most, of those that
// can be written, else that of the question if it is text, else an Arrow stream.
func answerMedia(accept string, asked tabular.Format) (string, error) {
	list := wanted(accept)
	for _, media := range list {
		if media == "*/*" {
			break
		}
		if format, _ := tabular.FormatOfMedia(media); media == mediaJSON || format.Written() {
			return media, nil
		}
	}
	switch {
	case accept != "" && !slices.Contains(list, "*/*"):
		return "", faultf(http.StatusNotAcceptable, "the Accept header names no media type of answers: "+
			"use %s or %s",
			strings.Join(tabular.MediaTypes(tabular.Format.Written), ", "), mediaJSON)
	case asked == tabular.CSV:
		return tabular.CSV.MediaType(), nil
	}
	return tabular.ArrowStream.MediaType(), nil
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
