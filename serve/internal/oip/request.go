package oip

import (
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
	Name   string
	Binary *bool // nil leaves it to Request.Binary
}

// InBinary reports whether a named output is sent in binary.
func (r *Request) InBinary(name string) bool {
	for _, o := range r.Outputs {
		if o.Name == name && o.Binary != nil {
			return *o.Binary
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
		Shape      []int64  `json:"shape"`
		Parameters struct {
			Size *int `json:"binary_data_size"`
		} `json:"parameters"`
		Data json.RawMessage `json:"data"`
	} `json:"inputs"`
	Outputs []struct {
		Name       string `json:"name"`
		Parameters struct {
			Binary *bool `json:"binary_data"`
		} `json:"parameters"`
	} `json:"outputs"`
}

// ParseRequest reads a request: JSON of header bytes, and behind it the tensors that are sent in
// binary, in their order. Errors are an *Error.
func ParseRequest(body []byte, header int) (*Request, error) {
	if header < 0 || header > len(body) {
		return nil, faultf("the body has %d bytes, and its JSON is said to have %d", len(body), header)
	}
	text, rest := body[:header], body[header:]
	if !utf8.Valid(text) {
		return nil, faultf("the JSON of the request is not UTF-8")
	}
	var wire requestJSON
	if err := json.Unmarshal(Plain(text), &wire); err != nil {
		return nil, jsonFault(err)
	}
	r := &Request{ID: wire.ID, Binary: wire.Parameters.Binary}
	for _, in := range wire.Inputs {
		t := Tensor{Name: in.Name, Datatype: in.Datatype, Shape: in.Shape}
		var err error
		if size := in.Parameters.Size; size != nil {
			if *size < 0 || *size > len(rest) {
				return nil, faultf("input %q is said to have %d bytes, and %d are left", in.Name, *size,
					len(rest))
			}
			t, err = Binary(in.Name, in.Datatype, in.Shape, rest[:*size])
			rest = rest[*size:]
		} else {
			t.Elements, err = elements(in.Name, in.Datatype, in.Shape, in.Data)
		}
		if err != nil {
			return nil, err
		}
		r.Inputs = append(r.Inputs, t)
	}
	for _, out := range wire.Outputs {
		r.Outputs = append(r.Outputs, Output{out.Name, out.Parameters.Binary})
	}
	if len(rest) > 0 {
		return nil, faultf("%d bytes follow that belong to no input", len(rest))
	}
	return r, nil
}

// jsonFault says what is wrong with JSON, and where, but not what it holds.
func jsonFault(err error) error {
	var typ *json.UnmarshalTypeError
	var syntax *json.SyntaxError
	switch {
	case errors.As(err, &typ):
		return faultf("the field %q of the request cannot be a %s", typ.Field, typ.Value)
	case errors.As(err, &syntax):
		return faultf("the request is not valid JSON, at byte %d", syntax.Offset)
	}
	return faultf("the request is not valid JSON")
}
