package serve

import (
	"encoding/binary"
	"math"
	"net/http"

	"github.com/pfnamp/pfnamp/serve/internal/oip"
	"github.com/pfnamp/pfnamp/serve/internal/oippb"
)

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
