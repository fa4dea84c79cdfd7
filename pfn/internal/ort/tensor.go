package ort

import (
	"fmt"
	"maps"
	"slices"

	"github.com/pfnamp/pfnamp/internal/wire"
)

// A Tensor is a dense float32 array in row-major order. Data holds at least as many values as the
// product of Shape. An input is read in place, so do not change it during the call.
type Tensor struct {
	Shape []int64
	Data  []float32
}

// A Port is one declared input or output of a graph.
type Port = wire.Port

// Ports reads the declared inputs and outputs from the bytes of an ONNX model, without loading it.
// All must be float32 tensors.
func Ports(model []byte) (inputs, outputs []Port, err error) {
	inputs, outputs, err = wire.Ports(model)
	if err == nil && (len(inputs) == 0 || len(outputs) == 0) {
		err = fmt.Errorf("it has %d inputs and %d outputs", len(inputs), len(outputs))
	}
	for _, p := range slices.Concat(inputs, outputs) {
		if err == nil && p.Element != wire.Float {
			err = fmt.Errorf("%q is not a float32 tensor (element type %d)", p.Name, p.Element)
		}
	}
	return inputs, outputs, err
}

// accept checks that t fits a port: same rank, same fixed dimensions, enough data.
func accept(p Port, t Tensor) error {
	if len(t.Shape) != len(p.Shape) {
		return inputError(p, fmt.Sprintf("the shape %v does not have the rank of %v", t.Shape, p.Shape))
	}
	size := int64(1)
	for i, d := range t.Shape {
		if d < 0 || p.Shape[i] >= 0 && d != p.Shape[i] {
			return inputError(p, fmt.Sprintf("the shape %v does not fit %v", t.Shape, p.Shape))
		}
		if d > 0 && size > int64(len(t.Data))/d && !slices.Contains(t.Shape, 0) {
			return inputError(p, fmt.Sprintf("%d values do not fill the shape %v",
				len(t.Data), t.Shape))
		}
		size *= d
	}
	return nil
}

func inputError(p Port, what string) error {
	return &Error{Op: "running the graph", Status: fmt.Sprintf("input %q: %s", p.Name, what)}
}

// unknownInput names the inputs that the graph does not declare.
func unknownInput(in map[string]Tensor, declared []Port) error {
	for _, name := range slices.Sorted(maps.Keys(in)) {
		if !slices.ContainsFunc(declared, func(p Port) bool { return p.Name == name }) {
			return inputError(Port{Name: name}, "the graph has no such input")
		}
	}
	return nil
}
