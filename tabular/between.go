package tabular

import (
	"context"
	"io"
)

// Between makes Next return only the rows from..to-1 of the table, counted from 0. The reader still
// reads the rows before, except whole row groups of a Parquet file. So rows keep their numbers, and
// errors before the range are reported. Call Between before Next.
func (r *Reader) Between(from, to int64) {
	r.src = &rangeSource{source: r.src, at: from, to: max(from, to)}
}

// rangeSource returns a range of the rows of a source.
type rangeSource struct {
	source
	at, to  int64 // the next row of the source, and the end of the range
	skipped bool
}

// groupSkipper is a source that can skip rows without reading them: as many as it likes, at most
// rows, before the first call of next.
type groupSkipper interface{ skip(rows int64) }

// rows returns the number of rows in the range, if the size of the table is known.
func (s *rangeSource) rows() int64 {
	all := s.source.rows()
	if all < 0 {
		return -1
	}
	return max(0, min(s.to, all)-s.at)
}

// end returns "", because the end of the input is not reached.
func (s *rangeSource) end() string { return "" }

// next returns the next rows of the range.
func (s *rangeSource) next(ctx context.Context) (*Batch, error) {
	if skipper, ok := s.source.(groupSkipper); ok && !s.skipped {
		skipper.skip(s.at)
	}
	s.skipped = true
	for s.at < s.to {
		b, err := s.source.next(ctx)
		if err != nil {
			return nil, err
		}
		if last := b.First + int64(b.Rows()); last > s.at {
			part := b.slice(s.at, min(last, s.to))
			s.at = min(last, s.to)
			return part, nil
		}
	}
	return nil, io.EOF
}

// slice returns the rows from..to-1 of the table, which the batch must hold.
func (b *Batch) slice(from, to int64) *Batch {
	if from -= b.First; from < 0 {
		from = 0
	}
	to -= b.First
	part := &Batch{File: b.File, First: b.First + from, Record: b.Record.NewSlice(from, to)}
	if b.Lines != nil {
		part.Lines = b.Lines[from:to]
	}
	if b.places != nil {
		part.places = b.places[from:to]
	}
	for _, column := range b.numbers {
		if column != nil {
			column = column[from:to]
		}
		part.numbers = append(part.numbers, column)
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
