package arrowguard

import (
	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
)

// Arrays checks the columns of the record batches of one reader. The zero value is ready.
type Arrays struct {
	dictionaries map[int]arrow.ArrayData // the last one of each column, checked
}

// Check checks the array of a column: that its buffers are as long as its values need, and that
// offsets, views and indices are in range. A dictionary is checked once.
func (c *Arrays) Check(a arrow.Array, column int) error {
	switch a := a.(type) {
	case *array.Null: // loaded without the buffers that the library then finds missing
		return nil
	case array.ExtensionArray:
		return c.Check(a.Storage(), column)
	case *array.Dictionary:
		values := a.Data().Dictionary()
		t := &arrow.DictionaryType{IndexType: a.Indices().DataType(), ValueType: arrow.Null}
		indices := array.NewDictionaryArray(t, a.Indices(), array.NewNull(values.Len()))
		err := array.ValidateFull(indices)
		if err != nil || c.dictionaries[column] == values {
			return err
		}
		if c.dictionaries == nil {
			c.dictionaries = make(map[int]arrow.ArrayData)
		}
		c.dictionaries[column] = values
		return c.Check(a.Dictionary(), column)
	}
	return array.ValidateFull(a)
}
