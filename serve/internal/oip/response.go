package oip

import (
	"encoding/binary"
	"encoding/json"
	"math"
	"strconv"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
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
			b = appendJSON(b, piece)
		}
		b = append(b, "]}"...)
	}
	b = append(b, "]}"...)
	return append(b, behind...), len(b)
}

// AppendBinary appends all elements in binary.
func (r *Result) AppendBinary(data []byte) []byte {
	order := binary.LittleEndian
	for _, piece := range r.Pieces {
		for i := range piece.Len() {
			switch a := piece.(type) {
			case *array.Float64:
				data = order.AppendUint64(data, math.Float64bits(a.Value(i)))
			case *array.Int64:
				data = order.AppendUint64(data, uint64(a.Value(i)))
			case *array.Boolean:
				bit := byte(0)
				if a.Value(i) {
					bit = 1
				}
				data = append(data, bit)
			case *array.String:
				data = order.AppendUint32(data, uint32(len(a.Value(i))))
				data = append(data, a.Value(i)...)
			}
		}
	}
	return data
}

// appendJSON appends the elements of an array, separated by commas: of the types that a response
// has. Numbers that JSON does not have are null, all others read back to the same bits.
func appendJSON(data []byte, elements arrow.Array) []byte {
	for i := range elements.Len() {
		if i > 0 {
			data = append(data, ',')
		}
		switch a := elements.(type) {
		case *array.Float64:
			if v := a.Value(i); v-v != 0 { // of NaN and infinities it is NaN
				data = append(data, "null"...)
			} else {
				data = strconv.AppendFloat(data, v, 'g', -1, 64)
			}
		case *array.Int64:
			data = strconv.AppendInt(data, a.Value(i), 10)
		case *array.Boolean:
			data = strconv.AppendBool(data, a.Value(i))
		case *array.String:
			data = appendText(data, a.Value(i))
		}
	}
	return data
}

func appendText(b []byte, text string) []byte {
	quoted, _ := json.Marshal(text) // a string has its JSON
	return append(b, quoted...)
}
