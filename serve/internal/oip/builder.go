package oip

import (
	"encoding/binary"
	"math"
	"unicode/utf8"

	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/memory"
)

// Builder collects the elements of a tensor, row by row. It keeps the first error until
// [Builder.Tensor].
type Builder struct {
	tensor   Tensor
	format   format
	elements array.Builder
	count    int // of a tensor of this shape
	err      error
}

// elementBytes is what an element takes in memory: in an array, and as a number of a table.
const elementBytes = 16

// NewBuilder begins a tensor. Before that it calls take with the bytes of all elements, which may
// refuse. Errors are an *Error about the datatype or the shape, or that of take.
func NewBuilder(
	name string, d Datatype, shape []int64, take func(bytes int64) error,
) (*Builder, error) {
	n, err := count(name, shape)
	if err != nil {
		return nil, err
	}
	f, err := formatOf(name, d)
	if err != nil {
		return nil, err
	}
	if err := take(elementBytes * int64(n)); err != nil {
		return nil, err
	}
	return &Builder{tensor: Tensor{Name: name, Datatype: d, Shape: shape}, format: f, count: n,
		elements: array.NewBuilder(memory.DefaultAllocator, f.typ)}, nil
}

// Tensor ends the tensor. The error is an *Error about an element, or their number.
func (b *Builder) Tensor() (Tensor, error) {
	defer b.elements.Release()
	if found := b.elements.Len(); b.err == nil && found < b.count {
		b.fail("input %q has %d elements, but shape %v needs %d", b.tensor.Name, found, b.tensor.Shape,
			b.count)
	}
	b.tensor.Elements = b.elements.NewArray()
	return b.tensor, b.err
}

func (b *Builder) fail(format string, args ...any) {
	if b.err == nil {
		b.err = faultf(format, args...)
	}
}

// takes reports whether one more element belongs to the tensor; fits tells that it is of its
// datatype.
func (b *Builder) takes(fits bool) bool {
	switch found := b.elements.Len(); {
	case found == b.count:
		b.fail("input %q has more elements than its shape %v", b.tensor.Name, b.tensor.Shape)
	case !fits:
		b.fail("input %q: element %d is not of datatype %s", b.tensor.Name, found+1, b.tensor.Datatype)
	}
	return b.err == nil
}

// Bool appends a truth value.
func (b *Builder) Bool(v bool) {
	if to, ok := b.elements.(*array.BooleanBuilder); b.takes(ok) {
		to.Append(v)
	}
}

// Int appends a whole number to a tensor of signed ones.
func (b *Builder) Int(v int64) {
	unused := 64 - 8*b.format.size
	if to, ok := b.elements.(*array.Int64Builder); b.takes(ok && v<<unused>>unused == v) {
		to.Append(v)
	}
}

// Uint appends a whole number to a tensor of unsigned ones.
func (b *Builder) Uint(v uint64) {
	unused := 64 - 8*b.format.size
	if to, ok := b.elements.(*array.Uint64Builder); b.takes(ok && v<<unused>>unused == v) {
		to.Append(v)
	}
}

// Float appends a number.
func (b *Builder) Float(v float64) {
	switch to := b.elements.(type) {
	case *array.Float64Builder:
		if b.takes(true) {
			to.Append(v)
		}
	case *array.Float32Builder:
		narrow := float32(v)
		if b.takes(float64(narrow) == v || math.IsNaN(v)) {
			to.Append(narrow)
		}
	default:
		b.takes(false)
	}
}

// Text appends a text; the empty one is missing.
func (b *Builder) Text(text []byte) {
	to, ok := b.elements.(*array.StringBuilder)
	switch {
	case !b.takes(ok):
	case !utf8.Valid(text):
		b.fail("input %q: element %d is not valid UTF-8", b.tensor.Name, to.Len()+1)
	case len(text) == 0:
		to.AppendNull()
	default:
		to.BinaryBuilder.Append(text)
	}
}

// Binary appends all elements in binary: little-endian, a byte for every truth value, and before
// every text its length in four bytes.
func (b *Builder) Binary(data []byte) {
	size, n := b.format.size, b.count
	if size == 0 {
		b.texts(data)
		return
	}
	if len(data) != n*size {
		b.fail("input %q has %d bytes, but %d elements of %s with shape %v need %d", b.tensor.Name,
			len(data), n, b.tensor.Datatype, b.tensor.Shape, n*size)
		return
	}
	for ; len(data) > 0; data = data[size:] {
		var wide [8]byte
		copy(wide[:], data[:size])
		bits := binary.LittleEndian.Uint64(wide[:])
		switch b.elements.(type) {
		case *array.BooleanBuilder:
			b.Bool(bits != 0)
		case *array.Uint64Builder:
			b.Uint(bits)
		case *array.Int64Builder:
			unused := 64 - 8*size
			b.Int(int64(bits<<unused) >> unused)
		case *array.Float32Builder:
			b.Float(float64(math.Float32frombits(uint32(bits))))
		case *array.Float64Builder:
			b.Float(math.Float64frombits(bits))
		}
	}
}

func (b *Builder) texts(data []byte) {
	for i := range b.count {
		if len(data) < 4 {
			b.fail("input %q ends within element %d of %d", b.tensor.Name, i+1, b.count)
			return
		}
		size := binary.LittleEndian.Uint32(data)
		data = data[4:]
		if int64(size) > int64(len(data)) {
			b.fail("input %q: element %d of %d declares %d bytes, but %d are left", b.tensor.Name, i+1,
				b.count, size, len(data))
			return
		}
		b.Text(data[:size])
		data = data[size:]
	}
	if len(data) > 0 {
		b.fail("input %q has %d bytes after its %d elements", b.tensor.Name, len(data), b.count)
	}
}
