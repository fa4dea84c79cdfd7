package tabular

import (
	"cmp"
	"errors"
	"fmt"
	"math"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/memory"
)

// Slots of the tables in Arrow's Message.fbs.
const (
	batchLength, batchNodes, batchBuffers = 0, 1, 2
	batchCompression, batchVariadic       = 3, 4
	dictID, dictData, dictDelta           = 0, 1, 2
)

// A batchLoader takes the arrays of a record batch or a dictionary out of a message, one after
// the other in the order of the schema. Everything that the message declares is checked before
// it is used: lengths against buffers, null counts against bitmaps, offsets against data.
type batchLoader struct {
	arrowBuffers
	rows     int64
	nodes    fbVector
	variadic fbVector
	node     int // next of nodes
	view     int // next of variadic
	v4       bool
	// dictionary looks up a dictionary by its number.
	dictionary func(id int64) arrow.Array
}

// newBatchLoader prepares the loading of a RecordBatch table and its body.
func newBatchLoader(batch fbTable, body []byte, codec *arrowCodec) (*batchLoader, error) {
	rows, err1 := batch.scalar(batchLength, 8, 0)
	nodes, err2 := batch.vector(batchNodes, 16)
	spans, err3 := batch.vector(batchBuffers, 16)
	variadic, err4 := batch.vector(batchVariadic, 8)
	compression, compressed, err5 := batch.table(batchCompression)
	if err := cmp.Or(err1, err2, err3, err4, err5); err != nil {
		return nil, err
	}
	if rows < 0 || rows > math.MaxInt32 {
		return nil, fmt.Errorf("batch of %d rows", rows)
	}
	l := &batchLoader{rows: rows, nodes: nodes, variadic: variadic}
	l.arrowBuffers = arrowBuffers{spans: spans, body: body, method: -1, codec: codec,
		budget: max(minDecompressed, maxRatio*int64(len(body)))}
	var err error
	if compressed {
		l.method, err = compression.scalar(0, 1, 0)
	}
	return l, err
}

// nextNode returns the length and the number of nulls of the next array.
func (l *batchLoader) nextNode() (length, nulls int, err error) {
	if l.node >= l.nodes.n {
		return 0, 0, errors.New("fewer arrays than columns")
	}
	n, z := l.nodes.int64(16*l.node), l.nodes.int64(16*l.node+8)
	l.node++
	if n < 0 || n > math.MaxInt32 || z < 0 || z > n {
		return 0, 0, fmt.Errorf("array of %d values with %d nulls", n, z)
	}
	return int(n), int(z), nil
}

// column loads the next column, which is stored as one type and exposed as another if it cannot
// be represented.
func (l *batchLoader) column(stored, exposed arrow.DataType, id int64) (arrow.Array, error) {
	var loaded arrow.Array
	var err error
	switch t := exposed.(type) {
	case *UnsupportedType:
		if err = l.skip(stored, 0); err == nil {
			loaded = newUnsupportedArray(t, int(l.rows))
		}
	case *arrow.DictionaryType:
		loaded, err = l.encoded(t, id)
	default:
		loaded, err = l.flat(stored)
	}
	if err == nil && int64(loaded.Len()) != l.rows {
		err = fmt.Errorf("%d values in a batch of %d rows", loaded.Len(), l.rows)
	}
	return loaded, err
}

// encoded loads a dictionary-encoded array.
func (l *batchLoader) encoded(t *arrow.DictionaryType, id int64) (arrow.Array, error) {
	indices, err := l.flat(t.IndexType)
	if err != nil {
		return nil, err
	}
	values := l.dictionary(id)
	if values == nil {
		if indices.NullN() < indices.Len() {
			return nil, fmt.Errorf("dictionary %d is missing", id)
		}
		values = array.NewBuilder(memory.DefaultAllocator, t.ValueType).NewArray()
	}
	if err := checkIndices(indices, values.Len()); err != nil {
		return nil, err
	}
	return array.NewDictionaryArray(t, indices, values), nil
}

// flat loads an array without children.
func (l *batchLoader) flat(dt arrow.DataType) (arrow.Array, error) {
	length, nulls, err := l.nextNode()
	if err != nil {
		return nil, err
	}
	storage := dt
	if ext, ok := dt.(arrow.ExtensionType); ok {
		storage = ext.StorageType()
	}
	if storage.ID() == arrow.NULL {
		return array.MakeFromData(array.NewData(dt, length, nil, nil, length, 0)), nil
	}
	validity, err := l.validity(length, nulls)
	if err != nil {
		return nil, err
	}
	buffers, err := l.values(storage, length, validity)
	if err != nil {
		return nil, err
	}
	buffers = append([]*memory.Buffer{validity}, buffers...)
	data := array.NewData(dt, length, buffers, nil, nulls, 0)
	defer data.Release()
	return array.MakeFromData(data), nil
}

// values loads the buffers of a flat array after its validity bitmap.
func (l *batchLoader) values(dt arrow.DataType, length int, valid *memory.Buffer) (
	[]*memory.Buffer, error) {
	switch dt := dt.(type) {
	case *arrow.StringType, *arrow.BinaryType:
		return l.varBuffers(length, 4)
	case *arrow.LargeStringType, *arrow.LargeBinaryType:
		return l.varBuffers(length, 8)
	case *arrow.StringViewType, *arrow.BinaryViewType:
		return l.viewBuffers(length, valid)
	case arrow.FixedWidthDataType:
		data, err := l.next()
		if err != nil {
			return nil, err
		}
		want := (int64(length)*int64(dt.BitWidth()) + 7) / 8
		if int64(len(data)) < want {
			return nil, fmt.Errorf("%d bytes for %d values of %s", len(data), length, dt)
		}
		return []*memory.Buffer{memory.NewBufferBytes(data)}, nil
	}
	return nil, fmt.Errorf("type %s is not supported", dt)
}
