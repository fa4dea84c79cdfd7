package tabular

import (
	"errors"
	"fmt"

	"github.com/apache/arrow-go/v18/arrow"
)

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
