package models

import (
	"github.com/pfnamp/pfnamp/internal/wire"
)

type message = wire.Message

// tensor is a float32 initialiser with raw data.
func tensor(name string, raw int, dims ...uint64) message {
	var m message
	for _, dim := range dims {
		m = m.Uint(1, dim)
	}
	return m.Uint(2, wire.Float).Text(8, name).Bytes(9, make([]byte, raw))
}

// node is an operator with one input and one output.
func node(domain, op string, attributes ...message) message {
	m := message{}.Text(1, "x").Text(2, "y").Text(4, op).Text(7, domain)
	for _, a := range attributes {
		m = m.Bytes(5, a)
	}
	return m
}

// value is a ValueInfoProto of a float32 tensor.
func value(name string) message {
	return message{}.Text(1, name).Bytes(2, message{}.Bytes(1, message{}.Uint(1, wire.Float)))
}

// graph has the given nodes, one input and one output.
func graph(nodes ...message) message {
	m := message{}.Text(2, "g")
	for _, n := range nodes {
		m = m.Bytes(1, n)
	}
	return m.Bytes(11, value("x")).Bytes(12, value("y"))
}

func opset(domain string, version uint64) message {
	return message{}.Text(1, domain).Uint(2, version)
}

// model wraps a graph in a sound ModelProto.
func model(g message) message {
	return withIR(8, g)
}

// withIR is model with another version of the format.
func withIR(version uint64, g message) message {
	return message{}.Uint(1, version).Bytes(8, opset("", 17)).Bytes(7, g)
}
