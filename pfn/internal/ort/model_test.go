package ort

import (
	"github.com/pfnamp/pfnamp/internal/orttest"
	"github.com/pfnamp/pfnamp/internal/wire"
)

type message = wire.Message

// ONNX element types.
const (
	elemFloat = 1
	elemInt64 = 7
)

var value, node = orttest.Value, orttest.Node

// matrices declares float32 matrices of any size.
func matrices(names ...string) (list []message) {
	for _, name := range names {
		list = append(list, value(name, elemFloat, -1, -1))
	}
	return list
}

// modelOf is a model of nodes from matrices to the matrix to.
func modelOf(to string, from []string, nodes ...message) []byte {
	g := orttest.Graph{Nodes: nodes, Inputs: matrices(from...), Outputs: matrices(to)}
	return g.Model()
}

// addModel computes sum = x + y for matrices of any size.
func addModel() []byte {
	return modelOf("sum", []string{"x", "y"}, node("Add", "x", "y", "sum"))
}

// scalarModel sums all of x into an output of rank 0.
func scalarModel() []byte {
	keep := message{}.Text(1, "keepdims").Int(3, 0).Int(20, 2)
	g := orttest.Graph{Nodes: []message{node("ReduceSum", "x", "sum").Bytes(5, keep)},
		Inputs: matrices("x"), Outputs: []message{value("sum", elemFloat)}}
	return g.Model()
}

// endlessModel adds x to itself 2^62 times, in a Loop.
func endlessModel() []byte { return loopModel("v2", node("Add", "v", "v", "v2")) }

// hollowModel goes round in a Loop whose body has no node. The library looks for a termination
// before every node, so that nothing stops it.
func hollowModel() []byte { return loopModel("v") }

// loopModel goes round a body of nodes, whose result is out.
func loopModel(out string, nodes ...message) []byte {
	g := orttest.Graph{Inputs: []message{value("x", elemFloat, -1)},
		Outputs: []message{value("y", elemFloat, -1)}}
	g.Loop(orttest.Graph{Nodes: nodes}, out, "x", "y", -1)
	return g.Model()
}

// foldedModel adds to x a constant that takes the library a while to compute when it loads the
// graph: a product of so many factors [width, width].
func foldedModel(factors int, width int64) []byte {
	g := orttest.Graph{Nodes: []message{node("ConstantOfShape", "shape", "c")},
		Constants: []message{orttest.Ints("shape", width, width)},
		Inputs:    matrices("x"), Outputs: matrices("y")}
	from := "c"
	for range factors {
		to := from + "c"
		g.Nodes = append(g.Nodes, node("MatMul", from, from, to))
		from = to
	}
	g.Nodes = append(g.Nodes, node("Add", "x", from, "y"))
	return g.Model()
}

// chainModel is depth matrix products with a softmax between them: x [n, w], m [w, w].
func chainModel(depth int) []byte {
	var nodes []message
	from := "x"
	for i := range depth {
		product, to := "p"+string(rune('a'+i)), "s"+string(rune('a'+i))
		if i == depth-1 {
			to = "y"
		}
		nodes = append(nodes, node("MatMul", from, "m", product), node("Softmax", product, to))
		from = to
	}
	return modelOf("y", []string{"x", "m"}, nodes...)
}
