package orttest

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/pfnamp/pfnamp/internal/wire"
)

// hostile are the nodes and constants that Hostile inserts between the network's result in
// testdata/tiny, "quantilez" [1, rows, 9], and its output "quantiles".
var hostile = map[string]func(*Graph){
	// A Loop that goes round 2^62 times.
	"endless": func(g *Graph) {
		g.Loop(Graph{Nodes: []wire.Message{Node("Neg", "v", "w")}}, "w", "quantilez", "quantiles",
			-1, -1, -1)
	},
	// The same, but its body has no node, where the library would check for termination.
	"hollow": func(g *Graph) { g.Loop(Graph{}, "v", "quantilez", "quantiles", -1, -1, -1) },
	// A product of 1,000 constant matrices, which the library computes while it loads the graph.
	"constant": func(g *Graph) {
		g.Constants = append(g.Constants, Ints("size", 4096, 4096))
		g.add(Node("ConstantOfShape", "size", "m0"))
		for i := range 1000 {
			from, to := fmt.Sprintf("m%d", i), fmt.Sprintf("m%d", i+1)
			g.add(Node("MatMul", from, from, to))
		}
		g.add(Node("ReduceMax", "m1000", "top"), Node("Add", "quantilez", "top", "quantiles"))
	},
	// A tensor with 2^26 times as many numbers as the output: 2.4 GB a row.
	"hungry": func(g *Graph) {
		g.Constants = append(g.Constants, Ints("times", 1, 1<<26, 1))
		g.add(Node("Shape", "quantilez", "shape"), Node("Mul", "shape", "times", "size"),
			Node("ConstantOfShape", "size", "zeros"), Node("ReduceMax", "zeros", "top"),
			Node("Add", "quantilez", "top", "quantiles"))
	},
	// Rank 0.
	"scalar": func(g *Graph) {
		g.add(Node("ReduceSum", "quantilez", "quantiles").Bytes(5,
			wire.Message{}.Text(1, "keepdims").Int(3, 0).Int(20, 2)))
	},
	// As many elements, in another shape: [9, rows, 1] and [1, 9·rows].
	"turned": func(g *Graph) {
		g.add(Node("Transpose", "quantilez", "quantiles").Bytes(5,
			wire.Message{}.Text(1, "perm").Int(8, 2).Int(8, 1).Int(8, 0).Int(20, 7)))
	},
	"flat": func(g *Graph) { g.add(Node("Flatten", "quantilez", "quantiles")) },
	// Integers and doubles, declared as float32.
	"integers": func(g *Graph) { g.cast(7) },
	"doubles":  func(g *Graph) { g.cast(11) },
}

// Hostile writes the bundle of testdata/tiny to a new folder, with a query graph that breaks in one
// of the ways above. It does not change the golden vectors.
func Hostile(kind, dir string) error {
	spoil, ok := hostile[kind]
	if !ok {
		return fmt.Errorf("no hostile graph is called %q", kind)
	}
	return WithGraph(upward("testdata/tiny"), dir, "query", func(before []byte) []byte {
		var g Graph
		spoil(&g)
		// A second graph (field 7) adds its parts to those of the first one.
		return wire.Message(bytes.Replace(before, []byte("\x12\tquantiles"), []byte("\x12\tquantilez"),
			1)).Bytes(7, g.fields())
	})
}

// WithGraph copies a bundle to a folder with one of its graphs changed, and a matching manifest.
func WithGraph(bundle, dir, name string, change func(graph []byte) []byte) error {
	file, described := filepath.Join(dir, name+".onnx"), filepath.Join(dir, "manifest.json")
	err := os.CopyFS(dir, os.DirFS(bundle))
	graph, err2 := os.ReadFile(file)
	manifest, err3 := os.ReadFile(described)
	if err := errors.Join(err, err2, err3); err != nil {
		return err
	}
	before := digest(graph)
	graph = change(graph)
	manifest = bytes.Replace(manifest, before, digest(graph), 1)
	return errors.Join(os.WriteFile(described, manifest, 0o600), os.WriteFile(file, graph, 0o600),
		Seal(dir))
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

func digest(data []byte) []byte { return fmt.Appendf(nil, "%x", sha256.Sum256(data)) }
