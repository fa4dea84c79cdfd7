package models

import (
	"bytes"
	"errors"
	"fmt"
	"slices"

	"github.com/pfnamp/pfnamp/internal/wire"
)

// Limits of the gate. The largest graph that this project exports has 0.8 GB (TabPFN v3.5).
// Protobuf itself ends at 2 GiB.
const (
	MaxGraphSize = 1 << 30 // bytes of one graph file

	minIR, maxIR       = 7, 13
	minOpset, maxOpset = 13, 24
	maxNodes           = 100_000
	maxSubgraphDepth   = 16 // depth of nested If, Loop and Scan bodies
)

// memoryMarker is a location that onnxruntime reads as an address in its own process.
const memoryMarker = "_ORT_MEM_ADDR_"

// contribOperators are the allowed operators of com.microsoft: fusions that onnxruntime's own
// optimiser and quantiser write into a saved graph.
var contribOperators = map[string]bool{
	"Attention": true, "BiasGelu": true, "BiasSoftmax": true, "DequantizeLinear": true,
	"DynamicQuantizeMatMul": true, "FastGelu": true, "FusedGemm": true, "FusedMatMul": true,
	"Gelu": true, "MatMulIntegerToFloat": true, "MatMulNBits": true, "MultiHeadAttention": true,
	"QLinearAdd": true, "QLinearMul": true, "QuantizeLinear": true, "QuickGelu": true,
	"RotaryEmbedding": true, "SimplifiedLayerNormalization": true,
	"SkipLayerNormalization": true,
}

// gate is what the gate learns about a graph.
type gate struct {
	ir, opset       int64
	nodes           int
	hasGraph        bool
	inputs, outputs []wire.Port
}

// inspectGraph refuses an ONNX file that a native runtime should never see:
//
//   - oversized or malformed protobuf, an IR version or opset out of range, very many nodes;
//   - operators of foreign domains, local functions, training information;
//   - external data and in-memory addresses;
//   - sub-graphs that nest too deep.
//
// Its memory and time are linear in the size of the file, whatever the file contains. Whether
// tensors and shapes make sense is left to the runtime, which reads graphs of strangers in a child
// process with a time limit first (`pfnamp models import`).
func inspectGraph(model []byte) (*gate, error) {
	switch {
	case len(model) == 0:
		return nil, errors.New("the file is empty")
	case len(model) > MaxGraphSize:
		return nil, fmt.Errorf("its %d bytes exceed the limit of %d", len(model), MaxGraphSize)
	case bytes.Contains(model, []byte(memoryMarker)):
		return nil, errors.New("it refers to memory addresses (" + memoryMarker + ")")
	}
	g := &gate{}
	if err := wire.Each(model, g.model); err != nil {
		return nil, err
	}
	switch {
	case !g.hasGraph:
		return nil, errors.New("it is not an ONNX model: it has no graph")
	case g.ir < minIR || g.ir > maxIR:
		return nil, fmt.Errorf("IR version %d is outside %d..%d", g.ir, minIR, maxIR)
	case g.opset == 0:
		return nil, errors.New("it does not import the default operator set")
	case g.nodes == 0:
		return nil, errors.New("the graph has no nodes")
	}
	var err error
	g.inputs, g.outputs, err = wire.Ports(model)
	return g, err
}

func (g *gate) model(f wire.Field) error {
	switch f.Number {
	case 1:
		g.ir = f.Varint
	case 7:
		g.hasGraph = true
		return g.walk("graph", f.Bytes, 0)
	case 8:
		return g.opsetImport(f.Bytes)
	case 20:
		return errors.New("it contains training information")
	case 25:
		return errors.New("it has local functions: export it with the functions inlined")
	}
	return nil
}

func (g *gate) opsetImport(message []byte) error {
	domain, version := "", int64(0)
	err := wire.Each(message, func(f wire.Field) error {
		switch f.Number {
		case 1:
			domain = string(f.Bytes)
		case 2:
			version = f.Varint
		}
		return nil
	})
	switch {
	case err != nil:
		return err
	case !admittedDomain(domain):
		return fmt.Errorf("it uses the foreign operator domain %q", domain)
	case !defaultDomain(domain):
		return nil
	case version < minOpset || version > maxOpset:
		return fmt.Errorf("opset %d is outside %d..%d", version, minOpset, maxOpset)
	}
	g.opset = version
	return nil
}

func defaultDomain(domain string) bool { return domain == "" || domain == "ai.onnx" }

func admittedDomain(domain string) bool {
	return defaultDomain(domain) || domain == "ai.onnx.ml" || domain == "com.microsoft"
}

// nested has the messages inside GraphProto, NodeProto, AttributeProto and SparseTensorProto, by
// the numbers of their fields.
var nested = map[string]map[int]string{
	"graph":     {1: "node", 5: "tensor", 15: "sparse"},
	"node":      {5: "attribute"},
	"attribute": {5: "tensor", 6: "graph", 10: "tensor", 11: "graph", 22: "sparse", 23: "sparse"},
	"sparse":    {1: "tensor", 2: "tensor"},
}

// walk checks a message of this kind, within so many graphs, and all messages inside it.
func (g *gate) walk(kind string, message []byte, depth int) (err error) {
	switch kind {
	case "graph":
		if depth++; depth > maxSubgraphDepth+1 {
			return fmt.Errorf("sub-graphs are nested deeper than %d", maxSubgraphDepth)
		}
	case "node":
		err = g.node(message)
	case "tensor":
		return checkTensor(message)
	}
	if err != nil {
		return err
	}
	return wire.Each(message, func(f wire.Field) error {
		if kind := nested[kind][int(f.Number)]; kind != "" {
			return g.walk(kind, f.Bytes, depth)
		}
		return nil
	})
}

// node checks NodeProto: op_type = 4, domain = 7.
func (g *gate) node(message []byte) error {
	if g.nodes++; g.nodes > maxNodes {
		return fmt.Errorf("it has more than %d nodes", maxNodes)
	}
	op, domain := "", ""
	err := wire.Each(message, func(f wire.Field) error {
		switch f.Number {
		case 4:
			op = string(f.Bytes)
		case 7:
			domain = string(f.Bytes)
		}
		return nil
	})
	switch {
	case err != nil:
		return err
	case op == "":
		return errors.New("it is malformed: a node has no operator")
	case !admittedDomain(domain):
		return fmt.Errorf("it uses the operator %q of the foreign domain %q", op, domain)
	case domain == "com.microsoft" && !contribOperators[op]:
		return fmt.Errorf("the operator %q of com.microsoft is not allowed", op)
	}
	return nil
}

// checkTensor refuses a TensorProto whose data is elsewhere: name = 8, external_data = 13,
// data_location = 14.
func checkTensor(message []byte) error {
	name, external := "", false
	err := wire.Each(message, func(f wire.Field) error {
		switch f.Number {
		case 8:
			name = string(f.Bytes)
		case 13:
			external = true
		case 14:
			external = external || f.Varint != 0
		}
		return nil
	})
	if err == nil && external {
		err = fmt.Errorf("tensor %q: refers to external data; store weights inside the graph file", name)
	}
	return err
}

// agrees compares the graph with the manifest's family. cache names the outputs of the context
// graph for the query graph.
func (g *gate) agrees(name string, m *Manifest, cache []string) error {
	inputs, outputs := m.ports(name, cache)
	if g.opset != int64(m.Opset) {
		return fmt.Errorf("its opset is %d, but the manifest says %d", g.opset, m.Opset)
	}
	if err := samePorts("inputs", g.inputs, inputs); err != nil {
		return err
	}
	return samePorts("outputs", g.outputs, outputs)
}

// samePorts compares names and order, and requires float32 tensors.
func samePorts(what string, got []wire.Port, want []string) error {
	names := make([]string, len(got))
	for i, p := range got {
		names[i] = p.Name
	}
	if !slices.Equal(names, want) {
		return fmt.Errorf("its %s are %v instead of %v", what, names, want)
	}
	for _, p := range got {
		if p.Element != wire.Float {
			return fmt.Errorf("%s: %q is not a float32 tensor", what, p.Name)
		}
	}
	return nil
}
