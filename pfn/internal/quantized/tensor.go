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
	typeUint8 = 2
	typeInt8  = 3
	typeInt64 = 7
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

// columns rounds a matrix of inputs × outputs to 8 bits, each column with a scale of its own. The
// matrix is stored with a row for every output if transposed. ok is false if an element is not
// finite.
func (t tensor) columns(transposed bool) (values []byte, scales []float32, ok bool) {
	rows, width := int(t.shape[0]), int(t.shape[1]) // as they are stored
	values, scales = make([]byte, rows*width), make([]float32, width)
	// An element (i, k) of the stored matrix belongs to output ofRow i + ofColumn k.
	nextRow, nextColumn, ofRow, ofColumn := width, 1, 0, 1
	if transposed {
		scales = make([]float32, rows)
		nextRow, nextColumn, ofRow, ofColumn = 1, rows, 1, 0
	}
	row := make([]float32, width)
	for i := range rows {
		t.read(row, i)
		for k, v := range row {
			if v-v != 0 {
				return nil, nil, false
			}
			output := ofRow*i + ofColumn*k
			scales[output] = max(scales[output], v, -v)
		}
	}
	for j := range scales {
		if scales[j] /= 127; scales[j] == 0 { // of zeros, or of numbers that are nearly zero
			scales[j] = 1
		}
	}
	for i := range rows {
		t.read(row, i)
		for k, v := range row {
			values[nextRow*i+nextColumn*k] = inUnits(v, scales[ofRow*i+ofColumn*k])
		}
	}
	return values, scales, true
}

// inUnits returns v as a whole multiple of a scale, from -127 to 127.
func inUnits(v, scale float32) byte {
	const integers = 3 << 22 // a float32 of this size has no fraction: adding it rounds to even
	units := int32(math.Float32bits(v/scale+integers)) - int32(math.Float32bits(integers))
	return byte(int8(max(-127, min(127, units))))
}

func (t tensor) read(row []float32, i int) {
	first := i * len(row) * int(t.width())
	if t.element == typeFloat {
		for k := range row {
			row[k] = math.Float32frombits(binary.LittleEndian.Uint32(t.raw[first+4*k:]))
		}
		return
	}
	for k := range row {
		row[k] = half.Value(binary.LittleEndian.Uint16(t.raw[first+2*k:]))
	}
}

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
