package serve

import (
	"bytes"
	"encoding/binary"
	"io"
	"math"
	"net/http"

	"google.golang.org/protobuf/encoding/protowire"

	"github.com/pfnamp/pfnamp/serve/internal/oip"
	"github.com/pfnamp/pfnamp/serve/internal/oippb"
)

// framing is what stands before a message of gRPC: whether it is compressed, and its bytes, four of
// them, the highest first.
const framing = 5

// message reads the message of a call within the limits of a body, unpacks it, and puts it in the
// place of the body. It counts the memory that the decoded message will take.
func (s *Server) message(w http.ResponseWriter, r *http.Request, of *request) error {
	var head [framing]byte
	within(w, s.limits.Transit)
	if _, err := io.ReadFull(r.Body, head[:]); err != nil {
		return bodyFault(err)
	}
	size := int64(binary.BigEndian.Uint32(head[1:]))
	if size > s.limits.Body {
		return told(&http.MaxBytesError{Limit: s.limits.Body})
	}
	packed := head[0] == 1
	r.Header.Del("Content-Encoding")
	if packed {
		r.Header.Set("Content-Encoding", r.Header.Get("Grpc-Encoding"))
	}
	r.Header.Del("Grpc-Encoding")
	r.Body, r.ContentLength = io.NopCloser(io.LimitReader(r.Body, size)), size
	message, err := s.wholeBody(w, r, of)
	if err != nil {
		return err
	}
	if !packed && int64(len(message)) < size {
		return bodyFault(io.ErrUnexpectedEOF)
	}
	if err := of.held.take(4*int64(len(message)) + decoded(message, 0)); err != nil {
		return err
	}
	plain := binary.BigEndian.AppendUint32([]byte{0}, uint32(len(message)))
	r.Body = io.NopCloser(io.MultiReader(bytes.NewReader(plain), bytes.NewReader(message)))
	return nil
}

// fieldBytes is what a field of a message takes in memory besides its bytes: at most a tensor with
// its slices.
const fieldBytes = 200

// The numbers of fields of a ModelInferRequest: its inputs, their contents, and the last list of
// contents whose numbers may be sent in one byte each.
const (
	inputsField   = 5
	contentsField = 5
	shortFields   = 5
)

// decoded bounds what a ModelInferRequest takes in memory beyond its own bytes: a message may have
// many small fields, and numbers that take fewer bytes when they are sent. level is 0 of the
// message, 1 of an input, 2 of its contents.
func decoded(message []byte, level int) (n int64) {
	for len(message) > 0 {
		field, kind, size := protowire.ConsumeTag(message)
		if size < 0 {
			return n // gRPC reports the error
		}
		message = message[size:]
		if size = protowire.ConsumeFieldValue(field, kind, message); size < 0 {
			return n
		}
		n += fieldBytes
		value, _ := protowire.ConsumeBytes(message[:size])
		switch {
		case kind != protowire.BytesType:
			n += 16 - fieldBytes // a number of a list, which grows
		case level == 0 && field == inputsField, level == 1 && field == contentsField:
			n += decoded(value, level+1)
		case level == 2 && field <= shortFields:
			n += 8 * int64(len(value))
		}
		message = message[size:]
	}
	return n
}

// binaryOf turns the elements of a message, which are in the field of their datatype, into binary.
func binaryOf(name string, d oip.Datatype, c *oippb.InferTensorContents) (data []byte, err error) {
	order := binary.LittleEndian
	switch d {
	case oip.Bool:
		for _, v := range c.GetBoolContents() {
			bit := byte(0)
			if v {
				bit = 1
			}
			data = append(data, bit)
		}
	case "INT8", "INT16", "INT32":
		for _, v := range c.GetIntContents() {
			if data, err = appendInt(data, name, d, int64(v)); err != nil {
				return nil, err
			}
		}
	case "UINT8", "UINT16", "UINT32":
		for _, v := range c.GetUintContents() {
			if data, err = appendInt(data, name, d, int64(v)); err != nil {
				return nil, err
			}
		}
	case oip.Int64:
		for _, v := range c.GetInt64Contents() {
			data = order.AppendUint64(data, uint64(v))
		}
	case "UINT64":
		for _, v := range c.GetUint64Contents() {
			data = order.AppendUint64(data, v)
		}
	case oip.FP32:
		for _, v := range c.GetFp32Contents() {
			data = order.AppendUint32(data, math.Float32bits(v))
		}
	case oip.FP64:
		for _, v := range c.GetFp64Contents() {
			data = order.AppendUint64(data, math.Float64bits(v))
		}
	case oip.Bytes:
		for _, v := range c.GetBytesContents() {
			data = append(order.AppendUint32(data, uint32(len(v))), v...)
		}
	}
	return data, nil // of other datatypes oip.Binary tells which there are
}

// ranges are the integers that are sent as wider ones: smallest, largest, bytes.
var ranges = map[oip.Datatype]struct {
	lo, hi int64
	size   int
}{
	"INT8": {math.MinInt8, math.MaxInt8, 1}, "INT16": {math.MinInt16, math.MaxInt16, 2},
	"INT32": {math.MinInt32, math.MaxInt32, 4}, "UINT8": {0, math.MaxUint8, 1},
	"UINT16": {0, math.MaxUint16, 2}, "UINT32": {0, math.MaxUint32, 4},
}

// appendInt appends an integer of a datatype, which must have room for it.
func appendInt(data []byte, name string, d oip.Datatype, v int64) ([]byte, error) {
	r := ranges[d]
	if v < r.lo || v > r.hi {
		return nil, faultf(http.StatusBadRequest, "input %q has an element that is not of datatype %s",
			name, d)
	}
	return append(data, binary.LittleEndian.AppendUint64(nil, uint64(v))[:r.size]...), nil
}
