// Package oip is the data plane of the Open Inference Protocol, version 2: tensors in JSON, in
// binary and as protocol buffers have them, and requests and responses in JSON with or without
// binary tensors behind it. It knows nothing of models.
//
// The elements of a tensor are an Arrow array. JSON's null, the bare NaN that Python writes, and in
// BYTES the empty text are missing elements.
//
// Source: KServe, Open Inference Protocol (V2), and its extension binary_tensor_data.
package oip

import "fmt"

// Error says what is wrong with a request, lower case and without a full stop.
type Error struct{ Msg string }

// Error returns the message.
func (e *Error) Error() string { return e.Msg }

func faultf(format string, args ...any) error { return &Error{fmt.Sprintf(format, args...)} }
