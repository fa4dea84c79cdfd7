package orttest

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/pfnamp/pfnamp/internal/wire"
)

// hostile are the nodes and constants that Hostile inserts between the network's result in
// testdata/tiny, "quantilez" [1, rows, 9], and its output "quantiles".
var hostile = map[string]func(*onnxGraph){
	// A Loop that goes round 2^62 times.
	"endless": func(g *onnxGraph) {
		g.loop(&onnxGraph{nodes: []wire.Message{Node("Neg", "v", "w")}}, "w")
	},
	// The same, but its body has no node, where the library would check for termination.
	"hollow": func(g *onnxGraph) { g.loop(&onnxGraph{}, "v") },
	// A product of 1,000 constant matrices, which the library computes while it loads the graph.
	"constant": func(g *onnxGraph) {
		g.constants = append(g.constants, ints("size", 4096, 4096))
		g.add(Node("ConstantOfShape", "size", "m0"))
		for i := range 1000 {
			from, to := fmt.Sprintf("m%d", i), fmt.Sprintf("m%d", i+1)
			g.add(Node("MatMul", from, from, to))
		}
		g.add(Node("ReduceMax", "m1000", "top"), Node("Add", "quantilez", "top", "quantiles"))
	},
	// A tensor with 2^26 times as many numbers as the output: 2.4 GB a row.
	"hungry": func(g *onnxGraph) {
		g.constants = append(g.constants, ints("times", 1, 1<<26, 1))
		g.add(Node("Shape", "quantilez", "shape"), Node("Mul", "shape", "times", "size"),
			Node("ConstantOfShape", "size", "zeros"), Node("ReduceMax", "zeros", "top"),
			Node("Add", "quantilez", "top", "quantiles"))
	},
	// Rank 0.
	"scalar": func(g *onnxGraph) {
		g.add(Node("ReduceSum", "quantilez", "quantiles").Bytes(5,
			wire.Message{}.Text(1, "keepdims").Int(3, 0).Int(20, 2)))
	},
	// As many elements, in another shape: [9, rows, 1] and [1, 9·rows].
	"turned": func(g *onnxGraph) {
		g.add(Node("Transpose", "quantilez", "quantiles").Bytes(5,
			wire.Message{}.Text(1, "perm").Int(8, 2).Int(8, 1).Int(8, 0).Int(20, 7)))
	},
	"flat": func(g *onnxGraph) { g.add(Node("Flatten", "quantilez", "quantiles")) },
	// Integers and doubles, declared as float32.
	"integers": func(g *onnxGraph) { g.cast(7) },
	"doubles":  func(g *onnxGraph) { g.cast(11) },
}

// Hostile writes the bundle of testdata/tiny to a new folder, with a query graph that breaks in one
// of the ways above, and a matching manifest. It does not change the golden vectors.
func Hostile(kind, dir string) error {
	spoil, ok := hostile[kind]
	if !ok {
		return fmt.Errorf("no hostile graph is called %q", kind)
	}
	query, described := filepath.Join(dir, "query.onnx"), filepath.Join(dir, "manifest.json")
	err := os.CopyFS(dir, os.DirFS(upward("testdata/tiny")))
	before, err2 := os.ReadFile(query)
	manifest, err3 := os.ReadFile(described)
	if err := errors.Join(err, err2, err3); err != nil {
		return err
	}
	var g onnxGraph
	spoil(&g)
	after := g.appendTo(bytes.Replace(before, []byte("\x12\tquantiles"), []byte("\x12\tquantilez"), 1))
	manifest = bytes.Replace(manifest, digest(before), digest(after), 1)
	err = errors.Join(os.WriteFile(described, manifest, 0o600), os.WriteFile(query, after, 0o600))
	if err != nil {
		return err
	}
	return Seal(dir)
}

// Seal writes SHA256SUMS of the bundle in a folder again, after a change of its manifest.
func Seal(dir string) error {
	var sums []byte
	for _, name := range []string{"manifest.json", "LICENSE"} {
		data, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			return err
		}
		sums = fmt.Appendf(sums, "%s  %s\n", digest(data), name)
	}
	return os.WriteFile(filepath.Join(dir, "SHA256SUMS"), sums, 0o600)
}

func digest(data []byte) []byte {
	sum := sha256.Sum256(data)
	return []byte(hex.EncodeToString(sum[:]))
}

// Node returns a NodeProto; the last name is its output.
func Node(op string, names ...string) wire.Message {
	var m wire.Message
	for _, name := range names[:len(names)-1] {
		m = m.Text(1, name)
	}
	return m.Text(2, names[len(names)-1]).Text(4, op)
}

// ints returns a TensorProto [n] of int64.
func ints(name string, values ...int64) wire.Message {
	m := wire.Message{}.Int(1, int64(len(values))).Int(2, 7)
	for _, v := range values {
		m = m.Int(7, v)
	}
	return m.Text(8, name)
}

// value returns a ValueInfoProto: a number, or float32 of any shape.
func value(name string, elem int64) wire.Message {
	tensor := wire.Message{}.Int(1, elem)
	if elem != 1 {
		tensor = tensor.Bytes(2, nil)
	}
	return wire.Message{}.Text(1, name).Bytes(2, wire.Message{}.Bytes(1, tensor))
}

// An onnxGraph holds parts of a GraphProto.
type onnxGraph struct{ nodes, constants []wire.Message }

func (g *onnxGraph) add(nodes ...wire.Message) { g.nodes = append(g.nodes, nodes...) }

func (g *onnxGraph) cast(elem int64) {
	g.add(Node("Cast", "quantilez", "quantiles").Bytes(5,
		wire.Message{}.Text(1, "to").Int(3, elem).Int(20, 2)))
}

// loop adds a Loop of 2^62 rounds, whose body computes the value out from the value v.
func (g *onnxGraph) loop(body *onnxGraph, out string) {
	inner := body.fields().Text(2, "body")
	for _, in := range []wire.Message{value("i", 7), value("on", 9), value("v", 1)} {
		inner = inner.Bytes(11, in)
	}
	inner = inner.Bytes(12, value("on", 9)).Bytes(12, value(out, 1))
	g.constants = append(g.constants, wire.Message{}.Int(2, 7).Int(7, 1<<62).Text(8, "trips"),
		wire.Message{}.Int(2, 9).Int(5, 1).Text(8, "go"))
	g.add(Node("Loop", "trips", "go", "quantilez", "quantiles").Bytes(5,
		wire.Message{}.Text(1, "body").Bytes(6, inner).Int(20, 5)))
}

func (g *onnxGraph) fields() wire.Message {
	var m wire.Message
	for _, n := range g.nodes {
		m = m.Bytes(1, n)
	}
	for _, c := range g.constants {
		m = m.Bytes(5, c)
	}
	return m
}

// appendTo adds the parts to the graph (field 7) of a ModelProto.
func (g *onnxGraph) appendTo(model []byte) []byte {
	var out wire.Message
	_ = wire.Each(model, func(f wire.Field) error {
		if f.Number == 7 {
			out = out.Bytes(7, append(bytes.Clone(f.Bytes), g.fields()...))
		} else {
			out = append(out, f.Raw...)
		}
		return nil
	})
	return out
}
