package orttest

import (
	"google.golang.org/protobuf/encoding/protowire"

	"github.com/pfnamp/pfnamp/internal/wire"
)

// Node returns a NodeProto; the last name is its output.
func Node(op string, names ...string) wire.Message {
	var m wire.Message
	for _, name := range names[:len(names)-1] {
		m = m.Text(1, name)
	}
	return m.Text(2, names[len(names)-1]).Text(4, op)
}

// Ints returns a TensorProto [n] of int64.
func Ints(name string, values ...int64) wire.Message {
	m := wire.Message{}.Int(1, int64(len(values))).Int(2, 7)
	for _, v := range values {
		m = m.Int(7, v)
	}
	return m.Text(8, name)
}

// Value returns a ValueInfoProto of a tensor; a dimension of -1 is dynamic.
func Value(name string, elem int64, dims ...int64) wire.Message {
	var shape wire.Message
	for i, d := range dims {
		size := wire.Message{}.Int(1, d)
		if d < 0 {
			size = wire.Message{}.Text(2, string(rune('a'+i))+name)
		}
		shape = shape.Bytes(1, size)
	}
	tensor := wire.Message{}.Int(1, elem).Bytes(2, shape)
	return wire.Message{}.Text(1, name).Bytes(2, wire.Message{}.Bytes(1, tensor))
}

// A Graph holds parts of a GraphProto.
type Graph struct{ Nodes, Constants, Inputs, Outputs []wire.Message }

func (g *Graph) add(nodes ...wire.Message) { g.Nodes = append(g.Nodes, nodes...) }

func (g *Graph) cast(elem int64) {
	g.add(Node("Cast", "quantilez", "quantiles").Bytes(5,
		wire.Message{}.Text(1, "to").Int(3, elem).Int(20, 2)))
}

// Loop adds a Loop of 2^62 rounds, from a value to another one of the same shape. Its body computes
// the value out from the value v.
func (g *Graph) Loop(body Graph, out, from, to string, dims ...int64) {
	body.Inputs = []wire.Message{Value("i", 7), Value("on", 9), Value("v", 1, dims...)}
	body.Outputs = []wire.Message{Value("on", 9), Value(out, 1, dims...)}
	g.Constants = append(g.Constants, wire.Message{}.Int(2, 7).Int(7, 1<<62).Text(8, "trips"),
		wire.Message{}.Int(2, 9).Int(5, 1).Text(8, "go"))
	g.add(Node("Loop", "trips", "go", from, to).Bytes(5,
		wire.Message{}.Text(1, "body").Bytes(6, body.fields()).Int(20, 5)))
}

func (g *Graph) fields() wire.Message {
	m := wire.Message{}.Text(2, "g")
	for i, list := range [][]wire.Message{g.Nodes, g.Constants, g.Inputs, g.Outputs} {
		for _, part := range list {
			m = m.Bytes([]protowire.Number{1, 5, 11, 12}[i], part)
		}
	}
	return m
}

// Model returns a ModelProto of IR version 8 and opset 17.
func (g *Graph) Model() []byte {
	opset := wire.Message{}.Text(1, "").Int(2, 17)
	return wire.Message{}.Int(1, 8).Bytes(8, opset).Bytes(7, g.fields())
}
