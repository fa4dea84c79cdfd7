package ort

import (
	"fmt"
	"slices"

	"google.golang.org/protobuf/encoding/protowire"

	"github.com/pfnamp/pfnamp/internal/wire"
)

// Ports reads the declared inputs and outputs from the bytes of an ONNX model, without loading it.
// All must be float32 tensors.
//
// The fields are those of onnx.proto: ModelProto.graph = 7; GraphProto.initializer = 5,
// input = 11, output = 12; TensorProto.name = 8.
func Ports(model []byte) (inputs, outputs []Port, err error) {
	graph, err := last(wire.Contents(model, 7))
	if err != nil || graph == nil {
		return nil, nil, wire.ErrModel
	}
	parts, err := wire.Fields(graph)
	if err != nil {
		return nil, nil, err
	}
	constants := map[string]bool{}
	for _, part := range parts {
		if part.Kind != protowire.BytesType {
			continue
		}
		switch part.Number {
		case 5:
			names, err := wire.Contents(part.Bytes, 8)
			if err != nil {
				return nil, nil, err
			}
			for _, name := range names {
				constants[string(name)] = true
			}
		case 11, 12:
			p, err := port(part.Bytes)
			if err != nil {
				return nil, nil, err
			}
			if part.Number == 11 {
				inputs = append(inputs, p)
			} else {
				outputs = append(outputs, p)
			}
		}
	}
	// Before IR version 4 the initializers are listed among the inputs.
	inputs = slices.DeleteFunc(inputs, func(p Port) bool { return constants[p.Name] })
	if len(inputs) == 0 || len(outputs) == 0 {
		return nil, nil, fmt.Errorf("it has %d inputs and %d outputs", len(inputs), len(outputs))
	}
	return inputs, outputs, nil
}

// port reads a ValueInfoProto: name = 1, type = 2; TypeProto.tensor_type = 1;
// TypeProto.Tensor.elem_type = 1 (1 is float32), shape = 2; TensorShapeProto.dim = 1.
func port(value []byte) (Port, error) {
	var p Port
	name, err := last(wire.Contents(value, 1))
	if err != nil {
		return p, err
	}
	p.Name = string(name)
	tensor, err := last(wire.Contents(value, 2, 1))
	if err != nil {
		return p, err
	}
	elem, err := varint(tensor, 1)
	if err != nil {
		return p, err
	}
	if elem != 1 {
		return p, fmt.Errorf("%q is not a float32 tensor (element type %d)", p.Name, elem)
	}
	dims, err := wire.Contents(tensor, 2, 1)
	for _, dim := range dims {
		size, err := dimension(dim)
		if err != nil {
			return p, err
		}
		p.Shape = append(p.Shape, size)
	}
	return p, err
}

// dimension reads a TensorShapeProto.Dimension: dim_value = 1; anything else is dynamic, -1.
func dimension(dim []byte) (int64, error) {
	size, err := varint(dim, 1)
	if size <= 0 {
		size = -1
	}
	return size, err
}

// varint returns the value of integer field number of a message, 0 if it is not there.
func varint(message []byte, number protowire.Number) (int64, error) {
	var value int64
	list, err := wire.Fields(message)
	for _, f := range list {
		if f.Number == number && f.Kind == protowire.VarintType {
			value = f.Varint
		}
	}
	return value, err
}

// last returns the last of several contents, nil for none.
func last(found [][]byte, err error) ([]byte, error) {
	if len(found) == 0 {
		return nil, err
	}
	return found[len(found)-1], err
}
