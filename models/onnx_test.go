package models

import (
	"encoding/binary"

	"google.golang.org/protobuf/encoding/protowire"
)

// message builds protobuf messages field by field, so that tests can write what no ONNX library
// would write.
type message []byte

func (m message) bytes(num protowire.Number, value []byte) message {
	m = protowire.AppendTag(m, num, protowire.BytesType)
	return protowire.AppendBytes(m, value)
}

func (m message) text(num protowire.Number, value string) message {
	return m.bytes(num, []byte(value))
}

func (m message) varint(num protowire.Number, value uint64) message {
	m = protowire.AppendTag(m, num, protowire.VarintType)
	return protowire.AppendVarint(m, value)
}

// tensor is a float32 initialiser with raw data.
func tensor(name string, raw int, dims ...uint64) message {
	var m message
	for _, dim := range dims {
		m = m.varint(1, dim)
	}
	return m.varint(2, typeFloat).text(8, name).bytes(9, make([]byte, raw))
}

// shapeTensor is an int64 initialiser.
func shapeTensor(name string, values ...uint64) message {
	var raw []byte
	for _, v := range values {
		raw = binary.LittleEndian.AppendUint64(raw, v)
	}
	return message{}.varint(1, uint64(len(values))).varint(2, 7).text(8, name).bytes(9, raw)
}

// node is an operator with one input and one output.
func node(domain, op string, attributes ...message) message {
	m := message{}.text(1, "x").text(2, "y").text(4, op).text(7, domain)
	for _, a := range attributes {
		m = m.bytes(5, a)
	}
	return m
}

// value is a ValueInfoProto of a float32 tensor.
func value(name string) message {
	return message{}.text(1, name).bytes(2, message{}.bytes(1, message{}.varint(1, typeFloat)))
}

// graph has the given nodes, one input and one output.
func graph(nodes ...message) message {
	m := message{}.text(2, "g")
	for _, n := range nodes {
		m = m.bytes(1, n)
	}
	return m.bytes(11, value("x")).bytes(12, value("y"))
}

func opset(domain string, version uint64) message {
	return message{}.text(1, domain).varint(2, version)
}

// model wraps a graph in a sound ModelProto.
func model(g message) message {
	return withIR(8, g)
}

// withIR is model with another version of the format.
func withIR(version uint64, g message) message {
	return message{}.varint(1, version).bytes(8, opset("", 17)).bytes(7, g)
}

// function is a local function of the domain "local".
func function(name string, nodes ...message) message {
	m := message{}.text(1, name).text(10, "local").bytes(9, opset("", 17))
	for _, n := range nodes {
		m = m.bytes(7, n)
	}
	return m
}

// calls returns n nodes that call a local function.
func calls(n int, name string) []message {
	nodes := make([]message, n)
	for i := range nodes {
		nodes[i] = node("local", name)
	}
	return nodes
}
