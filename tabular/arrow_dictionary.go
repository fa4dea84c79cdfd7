package tabular

import (
	"cmp"
	"fmt"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/memory"
)

// loadDictionary decodes a dictionary, or values to add to one. Dictionaries that no represented
// column uses are passed over.
func (s *arrowSource) loadDictionary(msg arrowMessage) error {
	id, err1 := msg.header.scalar(dictID, 8, 0)
	delta, err2 := msg.header.scalar(dictDelta, 1, 0)
	data, ok, err3 := msg.header.table(dictData)
	if err := cmp.Or(err1, err2, err3); err != nil {
		return err
	}
	t := s.dictionaryType(id)
	if t == nil {
		return nil
	}
	if !ok {
		return fmt.Errorf("dictionary %d without values", id)
	}
	l, err := newBatchLoader(data, msg.body, &s.codec)
	if err != nil {
		return err
	}
	values, err := l.column(t.ValueType, t.ValueType, -1)
	if err != nil {
		return fmt.Errorf("dictionary %d: %w", id, err)
	}
	if old := s.dicts[id]; delta != 0 && old != nil {
		both := []arrow.Array{old, values}
		if values, err = array.Concatenate(both, memory.DefaultAllocator); err != nil {
			return fmt.Errorf("dictionary %d: %w", id, err)
		}
	}
	s.dicts[id] = values
	return nil
}

// dictionaryType is the type of the first represented column that uses a dictionary, or nil.
func (s *arrowSource) dictionaryType(id int64) *arrow.DictionaryType {
	for i, f := range s.sc.exposed.Fields() {
		t, ok := f.Type.(*arrow.DictionaryType)
		if ok && s.sc.dictionaries[i] == id {
			return t
		}
	}
	return nil
}
