package orttest

import "google.golang.org/protobuf/encoding/protowire"

// Message is a protobuf message, written field by field. With it tests build graphs that no ONNX
// library would write, from the field numbers of onnx.proto.
type Message []byte

// Bytes appends a field of bytes, such as a message.
func (m Message) Bytes(field protowire.Number, value []byte) Message {
	return protowire.AppendBytes(protowire.AppendTag(m, field, protowire.BytesType), value)
}

// Text appends a field of text.
func (m Message) Text(field protowire.Number, value string) Message {
	return m.Bytes(field, []byte(value))
}

// Uint appends a field of a number.
func (m Message) Uint(field protowire.Number, value uint64) Message {
	return protowire.AppendVarint(protowire.AppendTag(m, field, protowire.VarintType), value)
}

// Int appends a field of a signed number.
func (m Message) Int(field protowire.Number, value int64) Message {
	return m.Uint(field, uint64(value))
}
