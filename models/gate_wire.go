package models

import (
	"fmt"

	"google.golang.org/protobuf/encoding/protowire"
)

// field is one field of a protobuf message. bytes is set for length-delimited fields, varint for
// varints and the fixed widths.
type field struct {
	num    protowire.Number
	typ    protowire.Type
	bytes  []byte
	varint uint64
}

// eachField calls visit for the fields of a message in order. It refuses groups, which ONNX does
// not use, so nothing here nests.
func eachField(data []byte, visit func(field) error) error {
	for len(data) > 0 {
		num, typ, n := protowire.ConsumeTag(data)
		if n < 0 {
			return fmt.Errorf("malformed protobuf: %w", protowire.ParseError(n))
		}
		data = data[n:]
		f := field{num: num, typ: typ}
		switch typ {
		case protowire.VarintType:
			f.varint, n = protowire.ConsumeVarint(data)
		case protowire.BytesType:
			f.bytes, n = protowire.ConsumeBytes(data)
		case protowire.Fixed32Type:
			var v uint32
			v, n = protowire.ConsumeFixed32(data)
			f.varint = uint64(v)
		case protowire.Fixed64Type:
			f.varint, n = protowire.ConsumeFixed64(data)
		default:
			return fmt.Errorf("malformed protobuf: wire type %d", typ)
		}
		if n < 0 {
			return fmt.Errorf("malformed protobuf: %w", protowire.ParseError(n))
		}
		data = data[n:]
		if err := visit(f); err != nil {
			return err
		}
	}
	return nil
}

// eachInt calls visit for the integers of a repeated field, packed or not.
func eachInt(f field, visit func(uint64) error) error {
	if f.typ != protowire.BytesType {
		return visit(f.varint)
	}
	for data := f.bytes; len(data) > 0; {
		v, n := protowire.ConsumeVarint(data)
		if n < 0 {
			return fmt.Errorf("malformed protobuf: %w", protowire.ParseError(n))
		}
		data = data[n:]
		if err := visit(v); err != nil {
			return err
		}
	}
	return nil
}

// countValues returns how many numbers a repeated field holds; width is the byte width of a fixed
// type and 0 for varints.
func countValues(f field, width int) (int64, error) {
	if f.typ != protowire.BytesType {
		return 1, nil
	}
	if width > 0 {
		if len(f.bytes)%width != 0 {
			return 0, fmt.Errorf("malformed protobuf: %d bytes of %d-byte numbers",
				len(f.bytes), width)
		}
		return int64(len(f.bytes) / width), nil
	}
	var count int64
	err := eachInt(f, func(uint64) error { count++; return nil })
	return count, err
}
