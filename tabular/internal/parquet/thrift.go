package parquet

import (
	"bytes"
	"context"
	"errors"

	"github.com/apache/thrift/lib/go/thrift"
)

// errThrift reports metadata that contradicts itself.
var errThrift = errors.New("the metadata is damaged")

// A walker reads Thrift's compact protocol, the form of Parquet's metadata, with the library of the
// generated readers. These allocate what a list declares. Walking the bytes first makes sure that
// no list is longer than the bytes that follow. After an error every read returns zero.
type walker struct {
	buf   []byte
	in    *thrift.TMemoryBuffer
	p     *thrift.TCompactProtocol
	depth int
	err   error
}

// walk begins to walk a struct.
func walk(buf []byte) *walker {
	in := &thrift.TMemoryBuffer{Buffer: bytes.NewBuffer(buf)}
	return &walker{buf: buf, in: in, p: thrift.NewTCompactProtocolConf(in, nil)}
}

// pos returns the number of bytes that were read.
func (w *walker) pos() int { return len(w.buf) - w.in.Len() }

// check records an error, and reports whether there is none.
func (w *walker) check(ok bool, err error) bool {
	if !ok || err != nil {
		w.err = errThrift
	}
	return w.err == nil
}

// numbers walks a struct and returns its 32-bit integers by the numbers of their fields. inner
// walks a struct in it; nil skips structs.
func (w *walker) numbers(inner func(id int16)) map[int16]int64 {
	found := map[int16]int64{}
	w.fields(func(id int16, is thrift.TType) bool {
		switch {
		case is == thrift.STRUCT && inner != nil:
			inner(id)
		case is == thrift.I32:
			n, err := w.p.ReadI32(context.Background())
			w.check(true, err)
			found[id] = int64(n)
		default:
			return false
		}
		return true
	})
	return found
}

// fields walks the fields of a struct. visit reads the value of a field and returns true, or
// returns false to skip it.
func (w *walker) fields(visit func(id int16, is thrift.TType) bool) {
	ctx := context.Background()
	w.depth++
	_, err := w.p.ReadStructBegin(ctx)
	for w.check(w.depth <= maxNesting, err) {
		var is thrift.TType
		var id int16
		if _, is, id, err = w.p.ReadFieldBegin(ctx); err != nil || is == thrift.STOP {
			break
		}
		if !visit(id, is) {
			err = thrift.Skip(ctx, w.p, is, maxNesting-w.depth)
		}
	}
	w.check(true, errors.Join(err, w.p.ReadStructEnd(ctx)))
	w.depth--
}

// elements walks a list. visit reads an element and returns true, or returns false to skip it.
func (w *walker) elements(visit func(is thrift.TType) bool) {
	is, n, err := w.p.ReadListBegin(context.Background())
	for i := 0; w.check(n-i <= w.in.Len(), err) && i < n; i++ {
		if !visit(is) {
			err = thrift.Skip(context.Background(), w.p, is, maxNesting-w.depth)
		}
	}
}
