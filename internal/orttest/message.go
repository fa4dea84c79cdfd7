package orttest

import "github.com/pfnamp/pfnamp/internal/wire"

// Message is a protobuf message. With it tests build graphs that no ONNX library would write, from
// the field numbers of onnx.proto.
type Message = wire.Message
