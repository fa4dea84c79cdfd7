package tabular

import (
	"context"
	"math"
	"slices"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/memory"
)

// Constant is a column that is not in the file and has the same value in every row, for example the
// key=value of a partition's folder.
type Constant struct {
	Name  string
	Value string // "" is missing
	// Number reports that the value is a number, in the grammar of ParseNumber.
	Number bool
}

// Add adds columns after those of the file. A column of the file takes precedence over an added one
// with the same name. Call Add before Next.
func (r *Reader) Add(columns ...Constant) {
	has := r.Names()
	columns = slices.DeleteFunc(slices.Clone(columns), func(c Constant) bool {
		return slices.Contains(has, c.Name)
	})
	if len(columns) > 0 {
		r.src = &constantSource{source: r.src, columns: columns}
	}
}

// constantSource adds columns to those of a source.
type constantSource struct {
	source
	columns []Constant
}

// schema has the columns of the source, then the constant ones.
func (s *constantSource) schema() *arrow.Schema {
	inner := s.source.schema()
	fields := slices.Clone(inner.Fields())
	for _, c := range s.columns {
		kind := arrow.DataType(arrow.BinaryTypes.String)
		if c.Number {
			kind = arrow.PrimitiveTypes.Float64
		}
		fields = append(fields, arrow.Field{Name: c.Name, Type: kind, Nullable: true})
	}
	meta := inner.Metadata()
	return arrow.NewSchema(fields, &meta)
}

// next returns the next batch with the constant columns.
func (s *constantSource) next(ctx context.Context) (*Batch, error) {
	b, err := s.source.next(ctx)
	if err != nil {
		return nil, err
	}
	columns := slices.Clone(b.Record.Columns())
	for _, c := range s.columns {
		columns = append(columns, c.array(b.Rows()))
	}
	wider := *b
	wider.Record = array.NewRecordBatch(s.schema(), columns, int64(b.Rows()))
	return &wider, nil
}

// array repeats the value.
func (c Constant) array(n int) arrow.Array {
	if c.Number {
		b := array.NewFloat64Builder(memory.DefaultAllocator)
		defer b.Release()
		v, err := ParseNumber(c.Value)
		for range n {
			if err != nil || math.IsNaN(v) {
				b.AppendNull()
			} else {
				b.Append(v)
			}
		}
		return b.NewArray()
	}
	b := array.NewStringBuilder(memory.DefaultAllocator)
	defer b.Release()
	for range n {
		if c.Value == "" {
			b.AppendNull()
		} else {
			b.Append(c.Value)
		}
	}
	return b.NewArray()
}
