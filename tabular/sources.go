package tabular

import (
	"context"
	"io"
	"slices"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/memory"
	"github.com/apache/arrow-go/v18/arrow/scalar"

	"github.com/pfnamp/pfnamp/tabular/internal/ground"
)

// Between makes Next return only the rows from..to-1 of the table, counted from 0. The reader still
// reads the rows before, except whole row groups of a Parquet file. So rows keep their numbers, and
// errors before the range are reported. Call Between before Next.
func (r *Reader) Between(from, to int64) {
	if s, ok := r.src.(interface{ Skip(rows int64) }); ok { // it skips at most so many
		s.Skip(from)
	}
	r.src = &rangeSource{Source: r.src, at: from, to: max(from, to)}
}

type rangeSource struct {
	ground.Source
	at, to int64 // the next row of the source, and the end of the range
}

// Rows returns the number of rows in the range, if the size of the table is known.
func (s *rangeSource) Rows() int64 {
	all := s.Source.Rows()
	if all < 0 {
		return -1
	}
	return max(0, min(s.to, all)-s.at)
}

// Note returns "", because the end of the input is not reached.
func (s *rangeSource) Note() string { return "" }

// Next returns the next rows of the range.
func (s *rangeSource) Next(ctx context.Context) (*Batch, error) {
	for s.at < s.to {
		if err := context.Cause(ctx); err != nil {
			return nil, err
		}
		b, err := s.Source.Next(ctx)
		if err != nil {
			return nil, err
		}
		if last := b.First + int64(b.Rows()); last > s.at {
			part := slice(b, s.at, min(last, s.to))
			s.at = min(last, s.to)
			return part, nil
		}
	}
	return nil, io.EOF
}

// slice returns the rows from..to-1 of the table, which the batch must hold.
func slice(b *Batch, from, to int64) *Batch {
	from, to = max(0, from-b.First), to-b.First
	part := &Batch{File: b.File, Decimal: b.Decimal, First: b.First + from,
		Record: b.Record.NewSlice(from, to)}
	if b.Lines != nil {
		part.Lines = b.Lines[from:to]
	}
	if b.Places != nil {
		part.Places = b.Places[from:to]
	}
	for _, column := range b.Numbers {
		if column != nil {
			column = column[from:to]
		}
		part.Numbers = append(part.Numbers, column)
	}
	return part
}

// Count returns the number of rows of a file. It takes the number from the footer if there is one,
// and otherwise reads the file, with the errors of reading.
func Count(ctx context.Context, path string, opt ReadOptions) (int64, error) {
	r, err := Open(path, opt)
	if err != nil {
		return 0, err
	}
	defer r.Close()
	if n := r.Rows(); n >= 0 {
		return n, nil
	}
	n := int64(0)
	for {
		b, err := r.Next(ctx)
		if err == io.EOF {
			return n, nil
		}
		if err != nil {
			return n, err
		}
		n += int64(b.Rows())
	}
}

// Reader returns a reader of a table in memory, in its batches.
func (t *Table) Reader() *Reader {
	return &Reader{file: t.File, na: t.na, decimal: t.decimal, notes: t.Notes,
		maxBytes: DefaultMaxBytes, src: &tableSource{table: t}}
}

type tableSource struct {
	ground.Defaults
	table *Table
	at    int
}

func (s *tableSource) Schema() *arrow.Schema { return s.table.Schema }

func (s *tableSource) Rows() int64 { return s.table.Rows }

// Next returns the next batch.
func (s *tableSource) Next(context.Context) (*Batch, error) {
	if s.at == len(s.table.Batches) {
		return nil, io.EOF
	}
	s.at++
	return s.table.Batches[s.at-1], nil
}

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
		r.src = &constantSource{Source: r.src, columns: columns}
	}
}

// constantSource adds columns to those of a source.
type constantSource struct {
	ground.Source
	columns []Constant
}

// Schema has the columns of the source, then the constant ones.
func (s *constantSource) Schema() *arrow.Schema {
	inner := s.Source.Schema()
	fields := slices.Clone(inner.Fields())
	for _, c := range s.columns {
		fields = append(fields, arrow.Field{Name: c.Name, Type: c.kind(), Nullable: true})
	}
	meta := inner.Metadata()
	return arrow.NewSchema(fields, &meta)
}

// Next returns the next batch with the constant columns.
func (s *constantSource) Next(ctx context.Context) (*Batch, error) {
	b, err := s.Source.Next(ctx)
	if err != nil {
		return nil, err
	}
	columns := slices.Clone(b.Record.Columns())
	for _, c := range s.columns {
		column, err := c.array(b.Rows())
		if err != nil {
			return nil, err
		}
		columns = append(columns, column)
	}
	wider := *b
	if b.Numbers != nil {
		wider.Numbers = slices.Concat(b.Numbers, make([][]bool, len(s.columns)))
	}
	wider.Record = array.NewRecordBatch(s.Schema(), columns, int64(b.Rows()))
	return &wider, nil
}

func (c Constant) kind() arrow.DataType {
	if c.Number {
		return arrow.PrimitiveTypes.Float64
	}
	return arrow.BinaryTypes.String
}

func (c Constant) array(n int) (arrow.Array, error) {
	value := scalar.MakeNullScalar(c.kind())
	if v, err := ParseNumber(c.Value); c.Number && err == nil {
		value = scalar.NewFloat64Scalar(v)
	} else if !c.Number && c.Value != "" {
		value = scalar.NewStringScalar(c.Value)
	}
	return scalar.MakeArrayFromScalar(value, n, memory.DefaultAllocator)
}
