package quantized

import "github.com/pfnamp/pfnamp/internal/wire"

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
