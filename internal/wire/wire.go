// Package wire reads and writes the fields of protobuf messages, as in ONNX models. The format of
// ONNX is onnx.proto of github.com/onnx/onnx.
package wire

import (
	"errors"

	"google.golang.org/protobuf/encoding/protowire"
)

// ErrModel is the error for bytes that are not an ONNX model.
var ErrModel = errors.New("it is not an ONNX model (malformed protobuf)")

// Field is one field of a message.
type Field struct {
	Number protowire.Number
	Kind   protowire.Type
	Raw    []byte // with its tag
	Bytes  []byte // the content of a length-delimited field
	Varint int64  // the value of a varint, or the bits of a field of fixed width
}

// Each calls visit for the fields of a message in their order. The error is ErrModel, also for
// groups, which ONNX does not use, or that of visit.
func Each(message []byte, visit func(Field) error) error {
	for len(message) > 0 {
		number, kind, tag := protowire.ConsumeTag(message)
		if tag < 0 {
			return ErrModel
		}
		f, value, size := Field{Number: number, Kind: kind}, message[tag:], -1
		var wide uint64
		var narrow uint32
		switch kind {
		case protowire.BytesType:
			f.Bytes, size = protowire.ConsumeBytes(value)
		case protowire.VarintType:
			wide, size = protowire.ConsumeVarint(value)
		case protowire.Fixed32Type:
			narrow, size = protowire.ConsumeFixed32(value)
		case protowire.Fixed64Type:
			wide, size = protowire.ConsumeFixed64(value)
		}
		if size < 0 {
			return ErrModel
		}
		f.Varint, f.Raw, message = int64(wide)+int64(narrow), message[:tag+size], message[tag+size:]
		if err := visit(f); err != nil {
			return err
		}
	}
	return nil
}

// Fields returns the fields of a message in their order. The error is ErrModel.
func Fields(message []byte) (list []Field, err error) {
	err = Each(message, func(f Field) error { list = append(list, f); return nil })
	return list, err
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

// Port is a declared input or output of a graph, a tensor.
type Port struct {
	Name    string
	Element int64   // TensorProto.DataType, 0 for what is no tensor
	Shape   []int64 // -1 is a dimension of any size
}

// Float is the Element of float32 tensors.
const Float = 1

// Ports returns the declared inputs and outputs of an ONNX model: ModelProto.graph = 7;
// GraphProto.input = 11, output = 12. The error is ErrModel.
func Ports(model []byte) (inputs, outputs []Port, err error) {
	found := false
	err = each(model, func(graph Field) error {
		found = true
		return Each(graph.Bytes, func(f Field) error {
			if f.Number != 11 && f.Number != 12 {
				return nil
			}
			p, err := port(f.Bytes)
			if f.Number == 11 {
				inputs = append(inputs, p)
			} else {
				outputs = append(outputs, p)
			}
			return err
		})
	}, 7)
	if err == nil && !found {
		err = ErrModel
	}
	return inputs, outputs, err
}

// port reads a ValueInfoProto: name = 1, type = 2; TypeProto.tensor_type = 1;
// TypeProto.Tensor.elem_type = 1, shape = 2; TensorShapeProto.dim = 1.
func port(value []byte) (p Port, err error) {
	err = each(value, func(name Field) error { p.Name = string(name.Bytes); return nil }, 1)
	if err != nil {
		return p, err
	}
	return p, each(value, func(tensor Field) error {
		err := each(tensor.Bytes, func(f Field) error { p.Element = f.Varint; return nil }, 1)
		if err != nil {
			return err
		}
		return each(tensor.Bytes, func(dim Field) error { return p.dimension(dim.Bytes) }, 2, 1)
	}, 2, 1)
}

// dimension appends a TensorShapeProto.Dimension: dim_value = 1, anything else is of any size.
func (p *Port) dimension(dim []byte) error {
	size := int64(-1)
	err := each(dim, func(f Field) error {
		if f.Varint > 0 {
			size = f.Varint
		}
		return nil
	}, 1)
	p.Shape = append(p.Shape, size)
	return err
}

// each calls visit for the fields of one number or, with more numbers, of fields within fields.
func each(message []byte, visit func(Field) error, path ...protowire.Number) error {
	return Each(message, func(f Field) error {
		switch {
		case f.Number != path[0]:
			return nil
		case len(path) == 1:
			return visit(f)
		}
		return each(f.Bytes, visit, path[1:]...)
	})
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
