package models

import (
	"errors"
	"fmt"
)

// typeFloat is TensorProto.FLOAT.
const typeFloat = 1

// elementType describes a TensorProto data type: bits per element in raw_data, and the field that
// holds its elements otherwise.
type elementType struct {
	bits  int64
	field int
}

// elementTypes are the allowed types, by TensorProto.DataType: the numbers without complex and
// 8-bit floating point, bool and string.
var elementTypes = map[int64]elementType{
	1: {32, 4}, 2: {8, 5}, 3: {8, 5}, 4: {16, 5}, 5: {16, 5}, 6: {32, 5}, 7: {64, 7}, 8: {0, 6},
	9: {8, 5}, 10: {16, 5}, 11: {64, 10}, 12: {32, 11}, 13: {64, 11}, 16: {16, 5},
	21: {4, 5}, 22: {4, 5},
}

// tensorRecord holds the fields of a TensorProto.
type tensorRecord struct {
	name     string
	elements int64 // product of the dims
	dataType int64
	raw      int64 // bytes of raw_data, -1 if absent
	counts   map[int]int64
}

// tensor checks TensorProto: no external data, and as many bytes as the shape needs.
func (g *gate) tensor(it item) error {
	t := tensorRecord{elements: 1, raw: -1, counts: map[int]int64{}}
	if err := eachField(it.data, t.read); err != nil {
		if t.name != "" {
			return fmt.Errorf("tensor %q: %w", t.name, err)
		}
		return err
	}
	if err := t.check(); err != nil {
		return fmt.Errorf("tensor %q: %w", t.name, err)
	}
	g.shapes.tensor(t.name, it.data)
	return nil
}

// read takes one field of TensorProto.
func (t *tensorRecord) read(f field) error {
	switch f.num {
	case 1:
		return eachInt(f, func(dim uint64) error {
			var ok bool
			if t.elements, ok = multiply(t.elements, dim); !ok {
				return errors.New("the shape is impossible")
			}
			return nil
		})
	case 2:
		t.dataType = int64(f.varint)
	case 3:
		return errors.New("the data is stored in segments")
	case 6:
		t.counts[6]++
	case 4:
		return t.count(f, 4)
	case 10:
		return t.count(f, 8)
	case 5, 7, 11:
		return t.count(f, 0)
	case 8:
		t.name = string(f.bytes)
	case 9:
		if t.raw >= 0 {
			return errors.New("it has two data blocks")
		}
		t.raw = int64(len(f.bytes))
	case 13:
		return errors.New("refers to external data; store weights inside the graph file")
	case 14:
		if f.varint != 0 {
			return errors.New("refers to external data; store weights inside the graph file")
		}
	}
	return nil
}

func (t *tensorRecord) count(f field, width int) error {
	n, err := countValues(f, width)
	t.counts[int(f.num)] += n
	return err
}

// check compares the stored data with the shape and type.
func (t *tensorRecord) check() error {
	element, ok := elementTypes[t.dataType]
	if !ok {
		return fmt.Errorf("the data type %d is not allowed", t.dataType)
	}
	if t.raw >= 0 {
		if len(t.counts) > 0 || element.bits == 0 {
			return errors.New("has data in two places")
		}
		if want := (t.elements*element.bits + 7) / 8; t.raw != want {
			return fmt.Errorf("it has %d bytes, but its shape needs %d", t.raw, want)
		}
		return nil
	}
	want := t.elements
	if element.bits == 4 {
		want = (want + 1) / 2
	}
	got := t.counts[element.field]
	if got != want {
		return fmt.Errorf("it has %d values, but its shape needs %d", got, want)
	}
	if len(t.counts) > 1 {
		return errors.New("has data in two places")
	}
	return nil
}

// multiply returns a*dim, and false if dim is negative or the product exceeds 2^40.
func multiply(a int64, dim uint64) (int64, bool) {
	const most = 1 << 40
	if dim > most || a > 0 && int64(dim) > most/a {
		return 0, false
	}
	return a * int64(dim), true
}
