package models

import (
	"bytes"
	"errors"
	"fmt"

	"google.golang.org/protobuf/encoding/protowire"
)

// Limits of the gate. The largest graph that this project exports has 0.8 GB (TabPFN v3.5).
// Protobuf itself ends at 2 GiB.
const (
	MaxGraphSize = 1 << 30 // bytes of one graph file

	minIR, maxIR       = 7, 13
	minOpset, maxOpset = 13, 24
	maxNodes           = 100_000   // nodes as stored
	maxExpandedNodes   = 1_000_000 // nodes after inlining every local function
	maxSubgraphDepth   = 16        // depth of nested If, Loop and Scan bodies
	maxFunctions       = 64        // local functions, and so their nesting
	maxConstantShape   = 1 << 28   // elements of one constant shape
)

// memoryMarker is a location that onnxruntime reads as an address in its own process.
const memoryMarker = "_ORT_MEM_ADDR_"

// CheckGraph refuses an ONNX file that a native runtime should never see:
//
//   - oversized or malformed protobuf, an IR version or opset out of range;
//   - operators of foreign domains, external data, in-memory addresses;
//   - tensors whose bytes do not match their shape, constant shapes of absurd size;
//   - sub-graphs or local functions that nest too deep, call themselves or multiply.
//
// It walks the protobuf with an explicit stack, so its memory and time are linear in the size of
// the file, whatever the file contains. The format is onnx.proto of github.com/onnx/onnx.
func CheckGraph(model []byte) error {
	_, err := inspectGraph(model)
	return err
}

// graphInfo is what the gate learns about a graph.
type graphInfo struct {
	ir      int64
	opset   int64
	inputs  []valueInfo
	outputs []valueInfo
	nodes   int
}

// valueInfo is the name and element type of a graph input or output.
type valueInfo struct {
	name     string
	elemType int64
}

// itemKind is the kind of message in a slice of bytes.
type itemKind int

const (
	graphItem itemKind = iota
	nodeItem
	attributeItem
	tensorItem
	sparseItem
)

// item is one message to check.
type item struct {
	kind  itemKind
	data  []byte
	depth int // nested graphs around it
	owner int // index of the local function it belongs to, -1 for the main graph
}

// gate is the state of one check.
type gate struct {
	info      graphInfo
	stack     []item
	domains   map[string]bool // imported by the model and its functions
	functions functionTable
	shapes    shapeTable
	sawGraph  bool
}

// inspectGraph is CheckGraph and also returns information about the graph.
func inspectGraph(model []byte) (graphInfo, error) {
	switch {
	case len(model) == 0:
		return graphInfo{}, errors.New("the file is empty")
	case len(model) > MaxGraphSize:
		return graphInfo{}, fmt.Errorf("its %d bytes exceed the limit of %d", len(model), MaxGraphSize)
	case bytes.Contains(model, []byte(memoryMarker)):
		return graphInfo{}, errors.New("it refers to memory addresses (" + memoryMarker + ")")
	}
	g := &gate{domains: map[string]bool{}, functions: newFunctionTable(), shapes: newShapeTable()}
	if err := g.model(model); err != nil {
		return graphInfo{}, err
	}
	for len(g.stack) > 0 {
		last := len(g.stack) - 1
		it := g.stack[last]
		g.stack = g.stack[:last]
		if err := g.check(it); err != nil {
			return graphInfo{}, err
		}
	}
	if err := g.finish(); err != nil {
		return graphInfo{}, err
	}
	return g.info, nil
}

// model reads the fields of ModelProto and pushes its graph and functions.
func (g *gate) model(data []byte) error {
	return eachField(data, func(f field) error {
		switch f.num {
		case 1:
			g.info.ir = int64(f.varint)
		case 7:
			if g.sawGraph {
				return errors.New("it is malformed: it has two main graphs")
			}
			g.sawGraph = true
			return g.push(graphItem, f, item{owner: -1})
		case 8:
			return g.opsetImport(f, true)
		case 20:
			return errors.New("it contains training information")
		case 25:
			return g.function(f)
		}
		return nil
	})
}

// push pushes an embedded message, with depth and owner from its parent.
func (g *gate) push(kind itemKind, f field, parent item) error {
	if f.typ != protowire.BytesType {
		return fmt.Errorf("it is malformed: field %d is not a message", f.num)
	}
	g.stack = append(g.stack, item{kind, f.bytes, parent.depth, parent.owner})
	return nil
}

func (g *gate) check(it item) error {
	switch it.kind {
	case graphItem:
		return g.graph(it)
	case nodeItem:
		return g.node(it)
	case attributeItem:
		return g.attribute(it)
	case tensorItem:
		return g.tensor(it)
	default:
		return g.sparse(it)
	}
}

// opsetImport reads OperatorSetIdProto. main reports that it belongs to the model itself.
func (g *gate) opsetImport(f field, main bool) error {
	var domain string
	var version int64
	err := eachField(f.bytes, func(f field) error {
		switch f.num {
		case 1:
			domain = string(f.bytes)
		case 2:
			version = int64(f.varint)
		}
		return nil
	})
	if err != nil {
		return err
	}
	domain = canonicalDomain(domain)
	g.domains[domain] = true
	if domain != "" {
		return nil
	}
	if version < minOpset || version > maxOpset {
		return fmt.Errorf("opset %d is outside %d..%d", version, minOpset, maxOpset)
	}
	if main {
		g.info.opset = version
	}
	return nil
}

// finish runs the checks that need the whole file.
func (g *gate) finish() error {
	switch {
	case !g.sawGraph:
		return errors.New("it is not an ONNX model: it has no graph")
	case g.info.ir < minIR || g.info.ir > maxIR:
		return fmt.Errorf("IR version %d is outside %d..%d", g.info.ir, minIR, maxIR)
	case g.info.opset == 0:
		return errors.New("it does not import the default operator set")
	case g.info.nodes == 0:
		return errors.New("the graph has no nodes")
	}
	if err := g.functions.check(g.domains); err != nil {
		return err
	}
	return g.shapes.check()
}

// agrees compares the graph with the manifest's family. cache names the outputs of the context
// graph for the query graph.
func (info *graphInfo) agrees(name string, m *Manifest, cache []string) error {
	inputs, outputs := m.ports(name, cache)
	if info.opset != int64(m.Opset) {
		return fmt.Errorf("its opset is %d, but the manifest says %d", info.opset, m.Opset)
	}
	if err := sameValues("inputs", info.inputs, inputs); err != nil {
		return err
	}
	return sameValues("outputs", info.outputs, outputs)
}

// sameValues compares names and order, and requires float32 tensors.
func sameValues(what string, got []valueInfo, want []string) error {
	names := make([]string, len(got))
	for i, v := range got {
		names[i] = v.name
	}
	if fmt.Sprint(names) != fmt.Sprint(want) {
		return fmt.Errorf("its %s are %v instead of %v", what, names, want)
	}
	for _, v := range got {
		if v.elemType != typeFloat {
			return fmt.Errorf("%s: %q is not a float32 tensor", what, v.name)
		}
	}
	return nil
}
