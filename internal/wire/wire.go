// Package wire reads and writes the fields of protobuf messages, as in ONNX models.
package wire

import (
	"errors"

	"google.golang.org/protobuf/encoding/protowire"
)

// ErrModel is the error for bytes that are not an ONNX model.
var ErrModel = errors.New("it is not an ONNX model (not valid protobuf)")

// Field is one field of a message.
type Field struct {
	Number protowire.Number
	Kind   protowire.Type
	Raw    []byte // with its tag
	Bytes  []byte // the content of a length-delimited field
	Varint int64  // the value of a varint field
}

// Fields returns the fields of a message in their order. The error is ErrModel.
func Fields(message []byte) ([]Field, error) {
	var list []Field
	for len(message) > 0 {
		number, kind, tag := protowire.ConsumeTag(message)
		if tag < 0 {
			return nil, ErrModel
		}
		size := protowire.ConsumeFieldValue(number, kind, message[tag:])
		if size < 0 {
			return nil, ErrModel
		}
		f := Field{Number: number, Kind: kind, Raw: message[:tag+size]}
		switch kind {
		case protowire.BytesType:
			f.Bytes, _ = protowire.ConsumeBytes(message[tag:])
		case protowire.VarintType:
			v, _ := protowire.ConsumeVarint(message[tag:])
			f.Varint = int64(v)
		}
		list = append(list, f)
		message = message[tag+size:]
	}
	return list, nil
}

// Contents returns the contents of the length-delimited fields of one number, in their order. With
// more numbers it returns those of the fields within these fields. The error is ErrModel.
func Contents(message []byte, path ...protowire.Number) (found [][]byte, err error) {
	list, err := Fields(message)
	for _, f := range list {
		if f.Number != path[0] || f.Kind != protowire.BytesType {
			continue
		}
		if len(path) == 1 {
			found = append(found, f.Bytes)
			continue
		}
		inner, err := Contents(f.Bytes, path[1:]...)
		if err != nil {
			return nil, err
		}
		found = append(found, inner...)
	}
	return found, err
}

// Integers returns the values of a repeated integer field, packed or not. The error is ErrModel.
func (f Field) Integers() ([]int64, error) {
	if f.Kind == protowire.VarintType {
		return []int64{f.Varint}, nil
	}
	var list []int64
	for rest := f.Bytes; len(rest) > 0; {
		v, n := protowire.ConsumeVarint(rest)
		if n < 0 {
			return nil, ErrModel
		}
		list, rest = append(list, int64(v)), rest[n:]
	}
	return list, nil
}

// Message is a message that is written field by field.
type Message []byte

// Bytes appends a field of bytes, such as a message.
func (m Message) Bytes(number protowire.Number, value []byte) Message {
	return protowire.AppendBytes(protowire.AppendTag(m, number, protowire.BytesType), value)
}

// Text appends a field of text.
func (m Message) Text(number protowire.Number, value string) Message {
	return m.Bytes(number, []byte(value))
}

// Uint appends a field of a number.
func (m Message) Uint(number protowire.Number, value uint64) Message {
	return protowire.AppendVarint(protowire.AppendTag(m, number, protowire.VarintType), value)
}

// Int appends a field of a signed number.
func (m Message) Int(number protowire.Number, value int64) Message {
	return m.Uint(number, uint64(value))
}
