package ort

import (
	"errors"
	"fmt"
	"slices"

	"google.golang.org/protobuf/encoding/protowire"
)

// errGraph is the error for bytes that are not an ONNX model.
var errGraph = errors.New("it is not an ONNX model (not valid protobuf)")

// Ports reads the declared inputs and outputs from the bytes of an ONNX model, without loading it.
// All must be float32 tensors.
//
// The fields are those of onnx.proto: ModelProto.graph = 7; GraphProto.initializer = 5,
// input = 11, output = 12; TensorProto.name = 8.
func Ports(model []byte) (inputs, outputs []Port, err error) {
	var graph []byte
	err = fields(model, func(n protowire.Number, v []byte) error {
		if n == 7 {
			graph = v
		}
		return nil
	})
	if err != nil || graph == nil {
		return nil, nil, errGraph
	}
	constants := map[string]bool{}
	err = fields(graph, func(n protowire.Number, v []byte) error {
		switch n {
		case 5:
			return fields(v, func(n protowire.Number, v []byte) error {
				if n == 8 {
					constants[string(v)] = true
				}
				return nil
			})
		case 11, 12:
			p, err := port(v)
			if n == 11 {
				inputs = append(inputs, p)
			} else {
				outputs = append(outputs, p)
			}
			return err
		}
		return nil
	})
	if err != nil {
		return nil, nil, err
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
	var tensor []byte
	err := fields(value, func(n protowire.Number, v []byte) error {
		switch n {
		case 1:
			p.Name = string(v)
		case 2:
			return fields(v, func(n protowire.Number, v []byte) error {
				if n == 1 {
					tensor = v
				}
				return nil
			})
		}
		return nil
	})
	if err != nil {
		return p, err
	}
	if elem, err := varint(tensor, 1); err != nil || elem != 1 {
		return p, fmt.Errorf("%q is not a float32 tensor (element type %d)", p.Name, elem)
	}
	err = fields(tensor, func(n protowire.Number, v []byte) error {
		if n != 2 {
			return nil
		}
		return fields(v, func(n protowire.Number, v []byte) error {
			if n == 1 {
				p.Shape = append(p.Shape, dimension(v))
			}
			return nil
		})
	})
	return p, err
}

// dimension reads a TensorShapeProto.Dimension: dim_value = 1; anything else is dynamic.
func dimension(dim []byte) int64 {
	d, err := varint(dim, 1)
	if err != nil || d <= 0 {
		return -1
	}
	return d
}

// varint returns the value of integer field number of a message, 0 if it is not there.
func varint(message []byte, number protowire.Number) (int64, error) {
	var value int64
	for len(message) > 0 {
		n, kind, used := protowire.ConsumeTag(message)
		if used < 0 {
			return 0, errGraph
		}
		message = message[used:]
		if n == number && kind == protowire.VarintType {
			v, used := protowire.ConsumeVarint(message)
			if used < 0 {
				return 0, errGraph
			}
			value, message = int64(v), message[used:]
			continue
		}
		if used = protowire.ConsumeFieldValue(n, kind, message); used < 0 {
			return 0, errGraph
		}
		message = message[used:]
	}
	return value, nil
}

// fields calls visit with every length-delimited field of a message.
func fields(message []byte, visit func(n protowire.Number, value []byte) error) error {
	for len(message) > 0 {
		n, kind, used := protowire.ConsumeTag(message)
		if used < 0 {
			return errGraph
		}
		message = message[used:]
		if kind != protowire.BytesType {
			if used = protowire.ConsumeFieldValue(n, kind, message); used < 0 {
				return errGraph
			}
			message = message[used:]
			continue
		}
		v, used := protowire.ConsumeBytes(message)
		if used < 0 {
			return errGraph
		}
		message = message[used:]
		if err := visit(n, v); err != nil {
			return err
		}
	}
	return nil
}
