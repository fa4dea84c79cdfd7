package csv

import (
	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/memory"
)

// rowStore stores rows of text and turns them into columns.
type rowStore struct {
	columns int
	text    []byte
	spans   []span  // of every cell, row by row
	lines   []int64 // on which each row starts
}

// span is the position of a cell's text in a rowStore.
type span struct{ from, to uint32 }

// reset removes the rows and keeps the memory.
func (r *rowStore) reset(columns int) {
	r.columns = columns
	r.text, r.spans, r.lines = r.text[:0], r.spans[:0], r.lines[:0]
}

// size returns the number of bytes of the rows.
func (r *rowStore) size() int { return len(r.text) + 8*len(r.spans) }

// add appends the record that a lexer found.
func (r *rowStore) add(l *lexer) {
	base := uint32(len(r.text))
	for _, c := range l.cells {
		to := c.to
		if c.doubled {
			to = c.from + len(l.text(c))
		}
		r.spans = append(r.spans, span{base + uint32(c.from), base + uint32(to)})
	}
	r.text = append(r.text, l.record...)
	r.lines = append(r.lines, l.at)
}

// arrays returns the rows as utf8 columns, which share no memory with the store.
func (r *rowStore) arrays() []arrow.Array {
	columns := make([]arrow.Array, r.columns)
	for j := range columns {
		columns[j] = r.column(j)
	}
	return columns
}

// column returns the jth column.
func (r *rowStore) column(j int) arrow.Array {
	offsets := make([]int32, 1, len(r.lines)+1)
	size := uint32(0)
	for k := j; k < len(r.spans); k += r.columns {
		size += r.spans[k].to - r.spans[k].from
		offsets = append(offsets, int32(size))
	}
	text := make([]byte, 0, size)
	for k := j; k < len(r.spans); k += r.columns {
		text = append(text, r.text[r.spans[k].from:r.spans[k].to]...)
	}
	data := array.NewData(arrow.BinaryTypes.String, len(r.lines), []*memory.Buffer{
		nil,
		memory.NewBufferBytes(arrow.Int32Traits.CastToBytes(offsets)),
		memory.NewBufferBytes(text),
	}, nil, 0, 0)
	return array.NewStringData(data)
}
