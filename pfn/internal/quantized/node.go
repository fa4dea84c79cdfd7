package quantized

import (
	"math"
	"slices"

	"github.com/pfnamp/pfnamp/internal/wire"
)

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
			n.floats[name] = math.Float32frombits(uint32(f.Varint))
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

func makeNode(domain, name, op string, inputs []string, output string) wire.Message {
	var m wire.Message
	for _, input := range inputs {
		m = m.Text(1, input)
	}
	m = m.Text(2, output).Text(3, name).Text(4, op)
	if domain != "" {
		m = m.Text(7, domain)
	}
	return m
}

// lastProduct returns the output of the last product. Its rounding errors would go into the answers
// as they are: without it their mean square halves, and no time is lost.
func lastProduct(nodes []node) string {
	for _, n := range slices.Backward(nodes) {
		if n.isProduct() {
			return n.outputs[0]
		}
	}
	return ""
}

// isProduct reports whether a node multiplies matrices and has one output.
func (n node) isProduct() bool {
	return n.domain == "" && (n.op == "MatMul" || n.op == "Gemm") && len(n.inputs) >= 2 &&
		len(n.outputs) == 1
}
