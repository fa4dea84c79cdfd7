package oip

import (
	"bytes"
	"encoding/json"
	"errors"
	"unicode/utf8"
)

// Request asks for the outputs of a model at the rows of its inputs.
type Request struct {
	ID      string
	Inputs  []Tensor
	Outputs []Output // that are asked for; none stands for all
	Binary  bool     // outputs that do not say otherwise are sent in binary
}

// Output is an output that is asked for.
type Output struct {
	Name       string `json:"name"`
	Parameters struct {
		Binary *bool `json:"binary_data"` // nil leaves it to Request.Binary
	} `json:"parameters"`
}

// InBinary reports whether a named output is sent in binary.
func (r *Request) InBinary(name string) bool {
	for _, o := range r.Outputs {
		if binary := o.Parameters.Binary; o.Name == name && binary != nil {
			return *binary
		}
	}
	return r.Binary
}

// requestJSON is a request as it is sent. Fields that are not here are ignored.
type requestJSON struct {
	ID         string `json:"id"`
	Parameters struct {
		Binary bool `json:"binary_data_output"`
	} `json:"parameters"`
	Inputs []struct {
		Name       string   `json:"name"`
		Datatype   Datatype `json:"datatype"`
		Shape      dims     `json:"shape"`
		Parameters struct {
			Size *int `json:"binary_data_size"`
		} `json:"parameters"`
		Data json.RawMessage `json:"data"`
	} `json:"inputs"`
	Outputs []Output `json:"outputs"`
}

// mostDims is the most dimensions of a tensor: those with rows have two.
const mostDims = 8

// dims are the dimensions of a shape.
type dims []int64

// UnmarshalJSON implements json.Unmarshaler. A long list is refused before it is read.
func (d *dims) UnmarshalJSON(text []byte) error {
	if bytes.Count(text, []byte(",")) >= mostDims {
		return faultf("a shape has more than %d dimensions", mostDims)
	}
	return json.Unmarshal(text, (*[]int64)(d))
}

// itemBytes is what an input or output of a request takes in memory, however short it is.
const itemBytes = 256

// ParseRequest reads a request: JSON of header bytes, and behind it the tensors that are sent in
// binary, in their order. Before it allocates memory besides the body it calls take, which may
// refuse. Errors are an *Error, or that of take.
func ParseRequest(body []byte, header int, take func(bytes int64) error) (*Request, error) {
	if header < 0 || header > len(body) {
		return nil, faultf("the body has %d bytes, but its header declares %d bytes of JSON", len(body),
			header)
	}
	text, rest := body[:header], body[header:]
	if !utf8.Valid(text) {
		return nil, faultf("the JSON of the request is not UTF-8")
	}
	var wire requestJSON
	// Twice the text: as plain JSON, and as its parts.
	if err := take(2*int64(len(text)) + itemBytes*int64(bytes.Count(text, []byte("{")))); err != nil {
		return nil, err
	}
	if err := json.Unmarshal(plain(text), &wire); err != nil {
		return nil, jsonFault(err)
	}
	r := &Request{ID: wire.ID, Binary: wire.Parameters.Binary, Outputs: wire.Outputs}
	for _, in := range wire.Inputs {
		b, err := NewBuilder(in.Name, in.Datatype, in.Shape, take)
		if err != nil {
			return nil, err
		}
		switch size := in.Parameters.Size; {
		case size == nil:
			b.JSON(in.Data)
		case *size < 0 || *size > len(rest):
			return nil, faultf("input %q declares %d bytes, but %d are left", in.Name, *size, len(rest))
		default:
			b.Binary(rest[:*size])
			rest = rest[*size:]
		}
		t, err := b.Tensor()
		if err != nil {
			return nil, err
		}
		r.Inputs = append(r.Inputs, t)
	}
	if len(rest) > 0 {
		return nil, faultf("%d bytes after the last input belong to no input", len(rest))
	}
	return r, nil
}

// jsonFault says what is wrong with JSON, and where, but not what it holds.
func jsonFault(err error) error {
	var own *Error
	var typ *json.UnmarshalTypeError
	var syntax *json.SyntaxError
	switch {
	case errors.As(err, &own):
		return own
	case errors.As(err, &typ) && typ.Field == "":
		return faultf("the request is %s, but it must be a JSON object", article(typ.Value))
	case errors.As(err, &typ):
		return faultf("the field %q of the request cannot be %s", typ.Field, article(typ.Value))
	case errors.As(err, &syntax):
		return faultf("the request is not valid JSON, at byte %d", syntax.Offset)
	}
	return faultf("the request is not valid JSON")
}

// article is a kind of JSON value with its article.
func article(kind string) string {
	switch {
	case kind == "array" || kind == "object":
		return "an " + kind
	case kind == "bool":
		return "true or false"
	}
	return "a " + kind
}
