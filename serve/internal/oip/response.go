package oip

import (
	"encoding/json"
	"strconv"

	"github.com/apache/arrow-go/v18/arrow"
)

// Response is what a model says of the rows of a request.
type Response struct {
	Model, Version, ID string
	Warnings           string // what is odd about the rows; "" for nothing
	Outputs            []Result
}

// Result is one output, its elements in pieces.
type Result struct {
	Name     string
	Datatype Datatype
	Rows     int
	Pieces   []arrow.Array
	Binary   bool
}

// Encode returns the body of the response, and how many of its bytes are JSON; binary outputs
// follow.
func (r *Response) Encode() (body []byte, header int) {
	b := append([]byte(nil), `{"model_name":`...)
	b = appendText(b, r.Model)
	b = appendText(append(b, `,"model_version":`...), r.Version)
	if r.ID != "" {
		b = appendText(append(b, `,"id":`...), r.ID)
	}
	if r.Warnings != "" {
		b = append(appendText(append(b, `,"parameters":{"warnings":`...), r.Warnings), '}')
	}
	b = append(b, `,"outputs":[`...)
	var behind []byte
	for i, out := range r.Outputs {
		if i > 0 {
			b = append(b, ',')
		}
		b = appendText(append(b, `{"name":`...), out.Name)
		b = appendText(append(b, `,"datatype":`...), string(out.Datatype))
		b = append(strconv.AppendInt(append(b, `,"shape":[`...), int64(out.Rows), 10), ']')
		if out.Binary {
			before := len(behind)
			behind = out.AppendBinary(behind)
			b = append(b, `,"parameters":{"binary_data_size":`...)
			b = append(strconv.AppendInt(b, int64(len(behind)-before), 10), "}}"...)
			continue
		}
		b = append(b, `,"data":[`...)
		for k, piece := range out.Pieces {
			if k > 0 {
				b = append(b, ',')
			}
			b = AppendJSON(b, piece)
		}
		b = append(b, "]}"...)
	}
	b = append(b, "]}"...)
	return append(b, behind...), len(b)
}

// AppendBinary appends all elements in binary.
func (r *Result) AppendBinary(data []byte) []byte {
	for _, piece := range r.Pieces {
		data = AppendBinary(data, piece)
	}
	return data
}

// appendText appends a text as JSON.
func appendText(b []byte, text string) []byte {
	quoted, _ := json.Marshal(text) // a string has its JSON
	return append(b, quoted...)
}
