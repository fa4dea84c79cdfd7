package quantized

import (
	"math"
	"slices"

	"google.golang.org/protobuf/encoding/protowire"

	"github.com/pfnamp/pfnamp/internal/wire"
)

const (
	// leastSize is the least number of inputs and of outputs of a matrix to round. Smaller ones
	// take little time, and rounding costs most accuracy in the first layers, which read cells.
	leastSize = 32
	prefix    = "pfnamp.int8/" // of the names of new tensors
	domain    = "com.microsoft"
)

// Graph returns an ONNX model whose products with constant matrices of 32 × 32 and more run on
// 8-bit integers, and the number of these products. Other nodes stay the same. The model must have
// passed models.CheckGraph. The error says that pfnamp cannot parse it.
func Graph(model []byte) (_ []byte, products int, err error) {
	var rewritten wire.Message
	parts, err := wire.Fields(model)
	if err != nil {
		return nil, 0, err
	}
	known := false // the domain
	for _, part := range parts {
		switch part.Number {
		case 7:
			graph, n, err := rewriteGraph(part.Bytes)
			if err != nil {
				return nil, 0, err
			}
			rewritten, products = rewritten.Bytes(7, graph), products+n
			continue
		case 8:
			set, err := wire.Fields(part.Bytes)
			if err != nil {
				return nil, 0, err
			}
			known = known || slices.ContainsFunc(set, func(f wire.Field) bool {
				return f.Number == 1 && string(f.Bytes) == domain
			})
		}
		rewritten = append(rewritten, part.Raw...)
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
}

func rewriteGraph(graph []byte) ([]byte, int, error) {
	parts, err := wire.Fields(graph)
	if err != nil {
		return nil, 0, err
	}
	r := rewriter{constants: map[string]tensor{}, casts: map[string]string{},
		uses: map[string]int{}, rounded: map[string]bool{}, replaced: map[string]bool{}}
	var nodes []node
	for _, part := range parts {
		switch part.Number {
		case 1:
			n, err := parseNode(part.Bytes)
			if err != nil {
				return nil, 0, err
			}
			nodes = append(nodes, n)
			r.read(n)
		case 5:
			t, err := parseTensor(part.Bytes)
			if err != nil {
				return nil, 0, err
			}
			r.constants[t.name] = t
		case 12:
			value, err := wire.Fields(part.Bytes)
			if err != nil {
				return nil, 0, err
			}
			for _, f := range value {
				if f.Number == 1 {
					r.uses[string(f.Bytes)]++
				}
			}
		}
	}
	var out wire.Message
	for _, n := range nodes {
		if product, ok := r.product(n); ok {
			out = out.Bytes(1, product)
			continue
		}
		out = out.Bytes(1, n.raw)
	}
	for _, part := range parts {
		if part.Number == 1 || part.Number == 5 && r.unused(part.Bytes) {
			continue
		}
		out = append(out, part.Raw...)
	}
	return append(out, r.added...), r.products, nil
}

// read notes what a node uses.
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

// product returns the node that replaces a Gemm or MatMul with a constant matrix, and false if it
// cannot replace a node.
func (r *rewriter) product(n node) ([]byte, bool) {
	if n.domain != "" || len(n.inputs) < 2 || len(n.outputs) != 1 {
		return nil, false
	}
	transposed := false
	switch n.op {
	case "MatMul":
	case "Gemm":
		if n.ints["transA"] != 0 || n.float("alpha") != 1 || n.float("beta") != 1 {
			return nil, false
		}
		transposed = n.ints["transB"] != 0
	default:
		return nil, false
	}
	matrix, ok := r.constant(n.inputs[1])
	if !ok || !matrix.isMatrix() || min(matrix.shape[0], matrix.shape[1]) < leastSize {
		return nil, false
	}
	outputs := matrix.shape[1]
	if transposed {
		outputs = matrix.shape[0]
	}
	bias := ""
	if len(n.inputs) > 2 && n.inputs[2] != "" {
		bias = n.inputs[2]
		if b, ok := r.constant(bias); !ok || !slices.Equal(b.shape, []int64{outputs}) {
			return nil, false
		}
	}
	name := prefix + matrix.name
	if transposed {
		name += "/transposed"
	}
	if _, taken := r.constants[name]; taken || !r.round(name, matrix, transposed) {
		return nil, false
	}
	r.replaced[matrix.name] = true
	r.uses[n.inputs[1]]--
	r.products++
	inputs := []string{n.inputs[0], name, name + "/scale"}
	if bias != "" {
		inputs = append(inputs, "", bias)
	}
	return makeNode(n.name, "DynamicQuantizeMatMul", inputs, n.outputs[0]), true
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

// A node is a NodeProto: input = 1, output = 2, name = 3, op_type = 4, attribute = 5, domain = 7.
type node struct {
	raw              []byte
	name, op, domain string
	inputs, outputs  []string
	ints             map[string]int64
	floats           map[string]float32
	nested           bool
}

func parseNode(message []byte) (node, error) {
	n := node{raw: message, ints: map[string]int64{}, floats: map[string]float32{}}
	list, err := wire.Fields(message)
	for _, f := range list {
		switch f.Number {
		case 1:
			n.inputs = append(n.inputs, string(f.Bytes))
		case 2:
			n.outputs = append(n.outputs, string(f.Bytes))
		case 3:
			n.name = string(f.Bytes)
		case 4:
			n.op = string(f.Bytes)
		case 5:
			if err := n.attribute(f.Bytes); err != nil {
				return n, err
			}
		case 7:
			n.domain = string(f.Bytes)
		}
	}
	return n, err
}

// attribute reads an AttributeProto: name = 1, f = 2, i = 3, g = 6, graphs = 11.
func (n *node) attribute(message []byte) error {
	list, err := wire.Fields(message)
	name := ""
	for _, f := range list {
		if f.Number == 1 {
			name = string(f.Bytes)
		}
	}
	for _, f := range list {
		switch f.Number {
		case 2:
			_, _, tag := protowire.ConsumeTag(f.Raw)
			bits, _ := protowire.ConsumeFixed32(f.Raw[tag:])
			n.floats[name] = math.Float32frombits(bits)
		case 3:
			n.ints[name] = f.Varint
		case 6, 11:
			n.nested = true
		}
	}
	return err
}

// float reads an attribute whose default is 1.
func (n *node) float(name string) float32 {
	if v, ok := n.floats[name]; ok {
		return v
	}
	return 1
}

func makeNode(name, op string, inputs []string, output string) []byte {
	var m wire.Message
	for _, input := range inputs {
		m = m.Text(1, input)
	}
	return m.Text(2, output).Text(3, name).Text(4, op).Text(7, domain)
}
