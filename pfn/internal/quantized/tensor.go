package quantized

import (
	"encoding/binary"
	"math"

	"github.com/pfnamp/pfnamp/internal/wire"
	"github.com/pfnamp/pfnamp/pfn/internal/half"
)

// Element types of TensorProto.
const (
	typeFloat = 1
	typeInt8  = 3
	typeHalf  = 10
)

// A tensor is a TensorProto: dims = 1, data_type = 2, float_data = 4, name = 8, raw_data = 9. Other
// places of the elements are not read.
type tensor struct {
	name    string
	shape   []int64
	element int64
	raw     []byte
}

func parseTensor(message []byte) (tensor, error) {
	var t tensor
	list, err := wire.Fields(message)
	for _, f := range list {
		switch f.Number {
		case 1:
			dims, err := f.Integers()
			if err != nil {
				return t, err
			}
			t.shape = append(t.shape, dims...)
		case 2:
			t.element = f.Varint
		case 8:
			t.name = string(f.Bytes)
		case 9:
			t.raw = f.Bytes
		}
	}
	return t, err
}

// width returns the size of an element in bytes, or 0 for an element type that is not read.
func (t tensor) width() int64 {
	switch t.element {
	case typeFloat:
		return 4
	case typeHalf:
		return 2
	}
	return 0
}

// isMatrix reports whether t is a matrix of numbers that can be read.
func (t tensor) isMatrix() bool {
	const most = 1 << 20
	return len(t.shape) == 2 && t.width() > 0 &&
		t.shape[0] > 0 && t.shape[0] <= most && t.shape[1] > 0 && t.shape[1] <= most &&
		int64(len(t.raw)) == t.shape[0]*t.shape[1]*t.width()
}

// at returns the element at a place of the flat tensor.
func (t tensor) at(i int) float32 {
	if t.element == typeFloat {
		return math.Float32frombits(binary.LittleEndian.Uint32(t.raw[4*i:]))
	}
	return half.Value(binary.LittleEndian.Uint16(t.raw[2*i:]))
}

// columns rounds a matrix of inputs × outputs to 8 bits, each column with a scale of its own. The
// matrix is stored with a row for every output if transposed. ok is false if an element is not
// finite.
func (t tensor) columns(transposed bool) (values []byte, scales []float32, ok bool) {
	inputs, outputs := int(t.shape[0]), int(t.shape[1])
	step, stride := outputs, 1 // from one input to the next, from one output to the next
	if transposed {
		inputs, outputs = outputs, inputs
		step, stride = 1, inputs
	}
	values, scales = make([]byte, inputs*outputs), make([]float32, outputs)
	column := make([]float32, inputs)
	for j := range outputs {
		var largest float32
		for k := range column {
			column[k] = t.at(k*step + j*stride)
			largest = max(largest, float32(math.Abs(float64(column[k])))) // NaN stays
		}
		if !(largest <= math.MaxFloat32) {
			return nil, nil, false
		}
		scales[j] = largest / 127
		if scales[j] == 0 { // of zeros, or of numbers that are nearly zero
			scales[j] = 1
		}
		for k, v := range column {
			rounded := math.RoundToEven(float64(v / scales[j]))
			values[k*outputs+j] = byte(int8(max(-127, min(127, rounded))))
		}
	}
	return values, scales, true
}

// makeTensor writes a TensorProto.
func makeTensor(name string, element int, raw []byte, shape ...int) []byte {
	var m wire.Message
	for _, d := range shape {
		m = m.Int(1, int64(d))
	}
	return m.Int(2, int64(element)).Text(8, name).Bytes(9, raw)
}

// floats are the bytes of raw_data.
func floats(values []float32) []byte {
	raw := make([]byte, 0, 4*len(values))
	for _, v := range values {
		raw = binary.LittleEndian.AppendUint32(raw, math.Float32bits(v))
	}
	return raw
}
