package quantized

import (
	"slices"

	"github.com/pfnamp/pfnamp/internal/wire"
)

const (
	// leastSize is the least number of inputs and of outputs of a matrix to round. Smaller ones
	// take little time, and rounding costs most accuracy in the first layers, which read cells.
	leastSize = 32
	// leastByRow is leastSize where every row has a scale: rounding takes six more nodes.
	leastByRow = 128
	prefix     = "pfnamp.int8/" // of the names of new tensors
	domain     = "com.microsoft"
)

// A Scaling says which numbers of x share a scale.
type Scaling struct {
	rows  bool
	least int64 // number of inputs and of outputs of a matrix to round
}

// The two scalings.
var (
	ByTensor = Scaling{least: leastSize}              // rows of a result depend on each other
	ByRow    = Scaling{rows: true, least: leastByRow} // rows are independent
)

// Graph returns an ONNX model whose products with large constant matrices run on 8-bit integers,
// and the number of these products. Other nodes stay the same. A matrix is large from 32 × 32 on.
// With ByRow it is large from 128 × 128 on, and the last product of the graph stays as it is. The
// model must have passed the gate of package models, which knows its opset. The error says that
// pfnamp cannot parse it.
func Graph(model []byte, opset int, by Scaling) (_ []byte, products int, err error) {
	var rewritten wire.Message
	known := false // the domain of the new nodes
	err = wire.Each(model, func(part wire.Field) error {
		if part.Number == 7 {
			graph, n, err := rewriteGraph(part.Bytes, by, opset)
			rewritten, products = rewritten.Bytes(7, graph), products+n
			return err
		}
		rewritten = append(rewritten, part.Raw...)
		if part.Number != 8 {
			return nil
		}
		return wire.Each(part.Bytes, func(set wire.Field) error { // OperatorSetIdProto.domain = 1
			known = known || set.Number == 1 && string(set.Bytes) == domain
			return nil
		})
	})
	if err != nil {
		return nil, 0, err
	}
	if !known {
		rewritten = rewritten.Bytes(8, wire.Message{}.Text(1, domain).Int(2, 1))
	}
	return rewritten, products, nil
}

// A rewriter collects the constants of a graph and their uses, and replaces products. The fields of
// GraphProto are node = 1, initializer = 5 and output = 12.
type rewriter struct {
	constants map[string]tensor // by name
	casts     map[string]string // the float16 constant behind a name
	uses      map[string]int    // number of times that a name is an input, or an output of the graph
	nested    bool              // a node has a graph inside, whose uses are not counted
	rounded   map[string]bool   // new matrices, by name
	replaced  map[string]bool   // constants that were inputs of nodes that have been replaced
	added     wire.Message      // new initializers
	products  int

	by      Scaling
	version int             // of the ONNX operators
	scaled  map[string]bool // inputs x that have been rounded by row
	last    string          // output of a product that stays float32
}

func rewriteGraph(graph []byte, by Scaling, version int) ([]byte, int, error) {
	r := rewriter{constants: map[string]tensor{}, casts: map[string]string{},
		uses: map[string]int{}, rounded: map[string]bool{}, replaced: map[string]bool{},
		by: by, version: version, scaled: map[string]bool{}}
	var nodes []node
	var others []wire.Field
	err := wire.Each(graph, func(part wire.Field) error {
		if part.Number == 1 {
			n, err := parseNode(part.Bytes)
			nodes = append(nodes, n)
			r.read(n)
			return err
		}
		others = append(others, part)
		switch part.Number {
		case 5:
			t, err := parseTensor(part.Bytes)
			r.constants[t.name] = t
			return err
		case 12:
			return wire.Each(part.Bytes, func(f wire.Field) error {
				if f.Number == 1 {
					r.uses[string(f.Bytes)]++
				}
				return nil
			})
		}
		return nil
	})
	if err != nil {
		return nil, 0, err
	}
	var out wire.Message
	if by.rows {
		r.last = lastProduct(nodes)
	}
	for _, n := range nodes {
		for _, made := range r.product(n) {
			out = out.Bytes(1, made)
		}
	}
	for _, part := range others {
		if part.Number != 5 || !r.unused(part.Bytes) {
			out = append(out, part.Raw...)
		}
	}
	return append(out, r.added...), r.products, nil
}

func (r *rewriter) read(n node) {
	for _, name := range n.inputs {
		r.uses[name]++
	}
	r.nested = r.nested || n.nested
	if n.op == "Cast" && n.domain == "" && n.ints["to"] == typeFloat && len(n.inputs) == 1 &&
		len(n.outputs) == 1 {
		r.casts[n.outputs[0]] = n.inputs[0]
	}
}

// unused reports whether only replaced nodes read a constant.
func (r *rewriter) unused(message []byte) bool {
	t, err := parseTensor(message)
	return err == nil && r.replaced[t.name] && r.uses[t.name] == 0 && !r.nested
}

// constant returns the tensor of a name, with its elements as float32 or float16.
func (r *rewriter) constant(name string) (tensor, bool) {
	if t, ok := r.constants[name]; ok {
		return t, t.element == typeFloat
	}
	t, ok := r.constants[r.casts[name]]
	return t, ok && t.element == typeHalf
}

// product returns the nodes that replace a Gemm or MatMul with a constant matrix, or the node.
func (r *rewriter) product(n node) [][]byte {
	same := [][]byte{n.raw}
	if !n.isProduct() || n.outputs[0] == r.last {
		return same
	}
	transposed := false
	if n.op == "Gemm" {
		if n.ints["transA"] != 0 || n.float("alpha") != 1 || n.float("beta") != 1 {
			return same
		}
		transposed = n.ints["transB"] != 0
	}
	matrix, ok := r.constant(n.inputs[1])
	if !ok || !matrix.isMatrix() || min(matrix.shape[0], matrix.shape[1]) < r.by.least {
		return same
	}
	outputs := matrix.shape[1]
	if transposed {
		outputs = matrix.shape[0]
	}
	bias := ""
	if len(n.inputs) > 2 && n.inputs[2] != "" {
		bias = n.inputs[2]
		if b, ok := r.constant(bias); !ok || !slices.Equal(b.shape, []int64{outputs}) {
			return same
		}
	}
	name := prefix + matrix.name
	if transposed {
		name += "/transposed"
	}
	if _, taken := r.constants[name]; taken || !r.round(name, matrix, transposed) {
		return same
	}
	r.replaced[matrix.name] = true
	r.uses[n.inputs[1]]--
	r.products++
	if r.by.rows {
		return r.byRow(n, name, bias)
	}
	inputs := []string{n.inputs[0], name, name + "/scale"}
	if bias != "" {
		inputs = append(inputs, "", bias)
	}
	return [][]byte{
		makeNode(domain, n.name, "DynamicQuantizeMatMul", inputs, n.outputs[0])}
}

// round adds the matrix in 8 bits and its scales, unless they are there. It returns false for a
// matrix with elements that are not finite.
func (r *rewriter) round(name string, matrix tensor, transposed bool) bool {
	if r.rounded[name] {
		return true
	}
	values, scales, ok := matrix.columns(transposed)
	if !ok {
		return false
	}
	r.rounded[name] = true
	outputs := len(scales)
	r.added = r.added.
		Bytes(5, makeTensor(name, typeInt8, values, len(values)/outputs, outputs)).
		Bytes(5, makeTensor(name+"/scale", typeFloat, floats(scales), outputs))
	return true
}

// axesVersion is the version of the ONNX operators from which ReduceMax reads its axes as an input.
const axesVersion = 18

// Names of the tensors that round by row, and of the constants that all of them use.
const (
	rowPrefix = "pfnamp.rows/"
	one       = rowPrefix + "one"
	share     = rowPrefix + "share" // 1 / 127
	least     = rowPrefix + "least" // scale of a row of zeros
	zero      = rowPrefix + "zero"  // the byte that stands for 0
	axes      = rowPrefix + "axes"
)

// byRow returns the nodes of a product whose input has a scale for every row. The nodes that round
// the input come with its first product.
func (r *rewriter) byRow(n node, matrix, bias string) [][]byte {
	x, y := n.inputs[0], n.outputs[0]
	name := rowPrefix + x
	var nodes [][]byte
	add := func(op, output string, inputs ...string) {
		nodes = append(nodes, makeNode("", rowPrefix+output+"/"+op, op, inputs, output))
	}
	if !r.scaled[x] {
		r.addConstants()
		r.scaled[x] = true
		add("Abs", name+"/size", x)
		nodes = append(nodes, r.largest(name+"/size", name+"/largest"))
		add("Mul", name+"/step", name+"/largest", share)
		add("Max", name+"/scale", name+"/step", least)
		add("Div", name+"/units", x, name+"/scale")
		add("QuantizeLinear", name+"/rounded", name+"/units", one, zero)
	}
	sum := rowPrefix + y + "/sum"
	nodes = append(nodes, makeNode(domain, n.name, "MatMulIntegerToFloat",
		[]string{name + "/rounded", matrix, one, matrix + "/scale", zero}, sum))
	if bias == "" {
		add("Mul", y, sum, name+"/scale")
		return nodes
	}
	add("Mul", sum+"/scaled", sum, name+"/scale")
	add("Add", y, sum+"/scaled", bias)
	return nodes
}

// largest returns the node for the largest number of every row.
func (r *rewriter) largest(input, output string) []byte {
	inputs := []string{input}
	if r.version >= axesVersion {
		inputs = append(inputs, axes)
	}
	m := makeNode("", rowPrefix+output+"/ReduceMax", "ReduceMax", inputs, output).
		Bytes(5, wire.Message{}.Text(1, "keepdims").Int(3, 1).Int(20, attributeInt))
	if r.version < axesVersion {
		m = m.Bytes(5, wire.Message{}.Text(1, "axes").Int(8, -1).Int(20, attributeInts))
	}
	return m
}

// Types of AttributeProto.
const (
	attributeInt  = 2
	attributeInts = 7
)

// addConstants adds the constants that all products share.
func (r *rewriter) addConstants() {
	if len(r.scaled) > 0 {
		return
	}
	for _, c := range []struct {
		name  string
		value float32
	}{{one, 1}, {share, 1 / 127.}, {least, 1e-30}} {
		r.added = r.added.Bytes(5, makeTensor(c.name, typeFloat, floats([]float32{c.value})))
	}
	r.added = r.added.Bytes(5, makeTensor(zero, typeUint8, []byte{128}))
	if r.version >= axesVersion {
		minus := []byte{255, 255, 255, 255, 255, 255, 255, 255} // -1
		r.added = r.added.Bytes(5, makeTensor(axes, typeInt64, minus, 1))
	}
}
