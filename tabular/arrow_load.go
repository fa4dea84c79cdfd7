package tabular

import (
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
	l := &batchLoader{}
	var err, errs error
	if l.rows, err = batch.scalar(batchLength, 8, 0); err == nil {
		if l.rows < 0 || l.rows > math.MaxInt32 {
			err = fmt.Errorf("batch of %d rows", l.rows)
		}
	}
	errs = errors.Join(errs, err)
	l.nodes, err = batch.vector(batchNodes, 16)
	errs = errors.Join(errs, err)
	l.variadic, err = batch.vector(batchVariadic, 8)
	errs = errors.Join(errs, err)
	spans, err := batch.vector(batchBuffers, 16)
	errs = errors.Join(errs, err)
	compression, compressed, err := batch.table(batchCompression)
	errs = errors.Join(errs, err)
	l.arrowBuffers = arrowBuffers{spans: spans, body: body, method: -1, codec: codec}
	if errs == nil && compressed {
		l.method, errs = compression.scalar(0, 1, 0)
	}
	l.budget = max(minDecompressed, maxRatio*int64(len(body)))
	return l, errs
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

// skip passes over a column that is not represented, children included.
func (l *batchLoader) skip(dt arrow.DataType, depth int) error {
	if depth > maxNesting {
		return fmt.Errorf("types nested deeper than %d levels", maxNesting)
	}
	if _, _, err := l.nextNode(); err != nil {
		return err
	}
	buffers := 2
	switch t := dt.(type) {
	case arrow.ExtensionType:
		l.node--
		return l.skip(t.StorageType(), depth+1)
	case *arrow.DictionaryType:
	case *arrow.NullType, *arrow.RunEndEncodedType:
		buffers = 0
	case *arrow.StructType, *arrow.FixedSizeListType:
		buffers = 1
	case arrow.UnionType:
		buffers = 1
		if t.Mode() == arrow.DenseMode {
			buffers++
		}
		if l.v4 {
			buffers++
		}
	case *arrow.ListViewType, *arrow.LargeListViewType, *arrow.StringType, *arrow.BinaryType,
		*arrow.LargeStringType, *arrow.LargeBinaryType:
		buffers = 3
	case *arrow.StringViewType, *arrow.BinaryViewType:
		n, err := l.nextVariadic()
		if err != nil {
			return err
		}
		buffers += n
	}
	l.at += buffers
	if nested, ok := dt.(arrow.NestedType); ok {
		for _, child := range nested.Fields() {
			if err := l.skip(child.Type, depth+1); err != nil {
				return err
			}
		}
	}
	return nil
}

// nextVariadic returns the number of data buffers of the next view array.
func (l *batchLoader) nextVariadic() (int, error) {
	if l.view >= l.variadic.n {
		return 0, errors.New("fewer buffer counts than view columns")
	}
	n := l.variadic.int64(8 * l.view)
	l.view++
	if n < 0 || n > int64(l.spans.n) {
		return 0, fmt.Errorf("view column with %d buffers", n)
	}
	return int(n), nil
}
