package tabular

import (
	"encoding/binary"
	"fmt"

	"github.com/apache/arrow-go/v18/arrow/bitutil"
	"github.com/apache/arrow-go/v18/arrow/memory"
)

// varBuffers loads and checks the offsets, of the given width, and the data of an array of
// strings or bytes.
func (b *arrowBuffers) varBuffers(length, width int) ([]*memory.Buffer, error) {
	offsets, err := b.next()
	if err != nil {
		return nil, err
	}
	data, err := b.next()
	if err != nil {
		return nil, err
	}
	if length == 0 {
		offsets = make([]byte, width)
	}
	if len(offsets) < (length+1)*width {
		return nil, fmt.Errorf("%d bytes of offsets for %d values", len(offsets), length)
	}
	last := int64(0)
	for i := range length + 1 {
		at := int64(int32(binary.LittleEndian.Uint32(offsets[i*width:])))
		if width == 8 {
			at = int64(binary.LittleEndian.Uint64(offsets[i*width:]))
		}
		if at < last || at > int64(len(data)) {
			return nil, fmt.Errorf("value %d at offset %d of %d bytes", i, at, len(data))
		}
		last = at
	}
	return []*memory.Buffer{memory.NewBufferBytes(offsets), memory.NewBufferBytes(data)}, nil
}

// viewBuffers loads and checks the views and the data of an array of string or byte views.
// A view is 16 bytes: the length, then up to 12 bytes, or a 4-byte prefix, a buffer number and
// an offset.
func (l *batchLoader) viewBuffers(length int, valid *memory.Buffer) ([]*memory.Buffer, error) {
	count, err := l.nextVariadic()
	if err != nil {
		return nil, err
	}
	views, err := l.next()
	if err != nil {
		return nil, err
	}
	if len(views) < 16*length {
		return nil, fmt.Errorf("%d bytes of views for %d values", len(views), length)
	}
	buffers := []*memory.Buffer{memory.NewBufferBytes(views)}
	for range count {
		data, err := l.next()
		if err != nil {
			return nil, err
		}
		buffers = append(buffers, memory.NewBufferBytes(data))
	}
	for i := range length {
		if valid != nil && !bitutil.BitIsSet(valid.Bytes(), i) {
			continue
		}
		view := views[16*i : 16*i+16]
		n := int64(int32(binary.LittleEndian.Uint32(view)))
		at := int(int32(binary.LittleEndian.Uint32(view[8:])))
		offset := int64(int32(binary.LittleEndian.Uint32(view[12:])))
		if n >= 0 && n <= 12 {
			continue
		}
		if n < 0 || at < 0 || at >= count || offset < 0 ||
			offset+n > int64(buffers[at+1].Len()) {
			return nil, fmt.Errorf("value %d lies outside the data", i)
		}
	}
	return buffers, nil
}
