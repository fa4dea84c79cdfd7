package ort

import (
	"github.com/pfnamp/pfnamp/internal/orttest"
	"github.com/pfnamp/pfnamp/internal/wire"
)

// The tests build their graphs from bytes, with the field numbers of onnx.proto, so that no other
// tool is needed to make a fixture.
type message = wire.Message

// ONNX element types.
const (
	elemFloat = 1
	elemInt64 = 7
	elemBool  = 9
)

// value is a ValueInfoProto; a dimension of -1 is dynamic.
func value(name string, elem int64, dims ...int64) message {
	var shape message
	for i, d := range dims {
		if d < 0 {
			shape = shape.Bytes(1, message{}.Text(2, string(rune('a'+i))+name))
		} else {
			shape = shape.Bytes(1, message{}.Int(1, d))
		}
	}
	tensor := message{}.Int(1, elem).Bytes(2, shape)
	return message{}.Text(1, name).Bytes(2, message{}.Bytes(1, tensor))
}

// subgraph is an attribute that holds a graph (type 5).
func subgraph(name string, graph message) message {
	return message{}.Text(1, name).Bytes(6, graph).Int(20, 5)
}

// scalarInt is a TensorProto: one int64.
func scalarInt(name string, v int64) message {
	return message{}.Int(2, elemInt64).Int(7, v).Text(8, name)
}

// scalarBool is a TensorProto: one bool.
func scalarBool(name string, v int64) message {
	return message{}.Int(2, elemBool).Int(5, v).Text(8, name)
}

// A testGraph collects the parts of a GraphProto.
type testGraph struct {
	nodes, constants, inputs, outputs []message
}

func (g testGraph) graph() message {
	var m message
	for _, n := range g.nodes {
		m = m.Bytes(1, n)
	}
	m = m.Text(2, "g")
	for _, c := range g.constants {
		m = m.Bytes(5, c)
	}
	for _, v := range g.inputs {
		m = m.Bytes(11, v)
	}
	for _, v := range g.outputs {
		m = m.Bytes(12, v)
	}
	return m
}

// model is a ModelProto of IR version 8 and opset 17.
func (g testGraph) model() []byte {
	opset := message{}.Text(1, "").Int(2, 17)
	return message{}.Int(1, 8).Bytes(8, opset).Bytes(7, g.graph())
}

// addModel computes sum = x + y for matrices of any size.
func addModel() []byte {
	return testGraph{
		nodes:   []message{orttest.Node("Add", "x", "y", "sum")},
		inputs:  []message{value("x", elemFloat, -1, -1), value("y", elemFloat, -1, -1)},
		outputs: []message{value("sum", elemFloat, -1, -1)},
	}.model()
}

// scalarModel sums all of x into an output of rank 0.
func scalarModel() []byte {
	keep := message{}.Text(1, "keepdims").Int(3, 0).Int(20, 2)
	return testGraph{
		nodes:   []message{orttest.Node("ReduceSum", "x", "sum").Bytes(5, keep)},
		inputs:  []message{value("x", elemFloat, -1, -1)},
		outputs: []message{value("sum", elemFloat)},
	}.model()
}

// endlessModel adds x to itself 2^60 times, in a Loop.
func endlessModel() []byte {
	return loopModel(testGraph{
		nodes: []message{
			orttest.Node("Add", "v", "v", "v2"),
			orttest.Node("Identity", "on", "on2"),
		},
		inputs:  []message{value("i", elemInt64), value("on", elemBool), value("v", elemFloat, -1)},
		outputs: []message{value("on2", elemBool), value("v2", elemFloat, -1)},
	})
}

// hollowModel goes round 2^60 times in a Loop whose body has no node. The library looks for a
// termination before every node, so that nothing stops it.
func hollowModel() []byte {
	return loopModel(testGraph{
		inputs:  []message{value("i", elemInt64), value("on", elemBool), value("v", elemFloat, -1)},
		outputs: []message{value("on", elemBool), value("v", elemFloat, -1)},
	})
}

// loopModel goes round a body 2^60 times.
func loopModel(body testGraph) []byte {
	return testGraph{
		nodes: []message{
			orttest.Node("Loop", "trips", "go", "x", "y").Bytes(5, subgraph("body", body.graph())),
		},
		constants: []message{scalarInt("trips", 1<<60), scalarBool("go", 1)},
		inputs:    []message{value("x", elemFloat, -1)},
		outputs:   []message{value("y", elemFloat, -1)},
	}.model()
}

// foldedModel adds to x a constant that takes the library a while to compute when it loads the
// graph: a product of so many factors [width, width].
func foldedModel(factors int, width int64) []byte {
	shape := message{}.Int(1, 2).Int(2, elemInt64).Int(7, width).Int(7, width).Text(8, "shape")
	g := testGraph{
		nodes:     []message{orttest.Node("ConstantOfShape", "shape", "c")},
		constants: []message{shape},
		inputs:    []message{value("x", elemFloat, -1, -1)},
		outputs:   []message{value("y", elemFloat, -1, -1)},
	}
	from := "c"
	for range factors {
		to := from + "c"
		g.nodes = append(g.nodes, orttest.Node("MatMul", from, from, to))
		from = to
	}
	g.nodes = append(g.nodes, orttest.Node("Add", "x", from, "y"))
	return g.model()
}

// chainModel is depth matrix products with a softmax between them: x [n, w], m [w, w].
func chainModel(depth int) []byte {
	g := testGraph{
		inputs:  []message{value("x", elemFloat, -1, -1), value("m", elemFloat, -1, -1)},
		outputs: []message{value("y", elemFloat, -1, -1)},
	}
	from := "x"
	for i := range depth {
		product, to := "p"+string(rune('a'+i)), "s"+string(rune('a'+i))
		if i == depth-1 {
			to = "y"
		}
		g.nodes = append(g.nodes, orttest.Node("MatMul", from, "m", product),
			orttest.Node("Softmax", product, to))
		from = to
	}
	return g.model()
}
