package quantized

import (
	"errors"

	"google.golang.org/protobuf/encoding/protowire"
)

// errGraph reports bytes that are not an ONNX model.
var errGraph = errors.New("it is not an onnx model (not parsable as protobuf)")

// A field is one field of a protobuf message.
type field struct {
	number protowire.Number
	kind   protowire.Type
	raw    []byte // with its tag
	bytes  []byte // the content of a length-delimited field
	varint int64  // the value of a varint field
}

// fields returns the fields of a message in their order.
func fields(message []byte) ([]field, error) {
	var list []field
	for len(message) > 0 {
		number, kind, tag := protowire.ConsumeTag(message)
		if tag < 0 {
			return nil, errGraph
		}
		size := protowire.ConsumeFieldValue(number, kind, message[tag:])
		if size < 0 {
			return nil, errGraph
		}
		f := field{number: number, kind: kind, raw: message[:tag+size]}
		switch kind {
		case protowire.BytesType:
			f.bytes, _ = protowire.ConsumeBytes(message[tag:])
		case protowire.VarintType:
			v, _ := protowire.ConsumeVarint(message[tag:])
			f.varint = int64(v)
		}
		list = append(list, f)
		message = message[tag+size:]
	}
	return list, nil
}

// integers returns the values of a repeated integer field, packed or not.
func (f field) integers() ([]int64, error) {
	if f.kind == protowire.VarintType {
		return []int64{f.varint}, nil
	}
	var list []int64
	for rest := f.bytes; len(rest) > 0; {
		v, n := protowire.ConsumeVarint(rest)
		if n < 0 {
			return nil, errGraph
		}
		list, rest = append(list, int64(v)), rest[n:]
	}
	return list, nil
}

func appendBytes(m []byte, number protowire.Number, value []byte) []byte {
	return protowire.AppendBytes(protowire.AppendTag(m, number, protowire.BytesType), value)
}

func appendText(m []byte, number protowire.Number, value string) []byte {
	return appendBytes(m, number, []byte(value))
}

func appendInt(m []byte, number protowire.Number, value int) []byte {
	return protowire.AppendVarint(protowire.AppendTag(m, number, protowire.VarintType),
		uint64(value))
}
