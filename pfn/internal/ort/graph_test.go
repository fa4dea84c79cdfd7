package ort

import (
	"errors"
	"testing"

	"github.com/pfnamp/pfnamp/internal/must"
	"github.com/pfnamp/pfnamp/internal/wire"
)

// withInput is an ONNX model with an input of the given bytes and an output of float32.
func withInput(input []byte) []byte {
	graph := message{}.Bytes(11, input).Bytes(12, value("y", elemFloat, 1))
	return message{}.Bytes(7, graph)
}

// A port that is cut short is no ONNX model; one of another type is named with it.
func TestPorts(t *testing.T) {
	inputs, _, err := Ports(withInput(value("x", elemFloat, -1, 3)))
	if err != nil || len(inputs) != 1 || inputs[0].Name != "x" || len(inputs[0].Shape) != 2 {
		t.Errorf("%v, %v", inputs, err)
	}
	_, _, err = Ports(withInput(value("x", elemInt64, 1)))
	must.Fail(t, "integers", err, `"x" is not a float32 tensor (element type 7)`)
	tensor := message{}.Int(1, elemFloat).Bytes(2, message{}.Bytes(1, []byte{0xff}))
	for name, broken := range map[string]message{
		"tensor":    message{}.Bytes(1, []byte{0xff}),
		"dimension": message{}.Bytes(1, tensor),
	} {
		_, _, err := Ports(withInput(message{}.Text(1, "x").Bytes(2, broken)))
		if !errors.Is(err, wire.ErrModel) {
			t.Errorf("%s: %v, want %v", name, err, wire.ErrModel)
		}
	}
}
