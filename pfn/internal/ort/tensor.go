package ort

import (
	"fmt"
	"maps"
	"slices"
)

// A Tensor is a dense float32 array in row-major order. Data holds at least as many values as the
// product of Shape. An input is read in place, so do not change it during the call.
type Tensor struct {
	Shape []int64
	Data  []float32
}

// A Port is one declared input or output of a graph. A dimension of -1 is dynamic.
type Port struct {
	Name  string  `json:"name"`
	Shape []int64 `json:"shape"`
}

// accepts checks that t fits the port: same rank, same fixed dimensions, enough data.
func (p Port) accepts(t Tensor) error {
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

// inputError returns the error of one input.
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
