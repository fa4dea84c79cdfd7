package tabular

import (
	"context"

	"github.com/apache/arrow-go/v18/arrow"

	"github.com/pfnamp/pfnamp/tabular/internal/ground"
)

// apart is a source whose reader is in a package of its own.
type apart struct {
	ground.Source
	file string
}

// apartFrom makes a source from a reader that was opened. locate turns its errors into an *Error.
func apartFrom[T ground.Source](s T, file string, err error) (source, error) {
	if err != nil {
		return nil, err
	}
	return apart{s, file}, nil
}

// ground returns the options of readers in packages of their own.
func (o ReadOptions) ground() ground.Options {
	return ground.Options{BatchRows: o.batchRows(), Skip: o.Skip, RequireEOS: o.RequireEOS,
		Delimiter: o.Delimiter, Names: o.Names,
		Encoding: string(o.Encoding), HeaderRow: o.HeaderRow, Sheet: o.Sheet,
		IsNumber:    isNumber,
		Unsupported: func(stored string) arrow.DataType { return newUnsupported(stored) }}
}

func (s apart) schema() *arrow.Schema { return s.Schema() }

func (s apart) rows() int64 { return s.Rows() }

func (s apart) end() string { return s.Note() }

func (s apart) close() { s.Close() }

// next makes a batch from the reader's next rows.
func (s apart) next(ctx context.Context) (*Batch, error) {
	b, err := s.Next(ctx)
	if found, ok := err.(*ground.Error); ok {
		return nil, locate(s.file, found)
	}
	if err != nil {
		return nil, err
	}
	return &Batch{File: s.file, Record: b.Record, First: b.First, Lines: b.Lines,
		numbers: b.Numbers}, nil
}

// skip skips rows that the reader need not read.
func (s apart) skip(rows int64) {
	if skipper, ok := s.Source.(interface{ Skip(rows int64) }); ok {
		skipper.Skip(rows)
	}
}

// beginning returns notes on the beginning of the file.
func (s apart) beginning() []string {
	if noted, ok := s.Source.(interface{ Beginning() []string }); ok {
		return noted.Beginning()
	}
	return nil
}
