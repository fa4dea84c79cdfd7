package serve

import (
	"io"
	"sort"
)

const (
	firstChunk = 4 << 10
	largeChunk = 1 << 20
)

// chunks is a body in pieces, each counted before it is allocated: nothing is copied while it
// grows.
type chunks struct {
	held   *account
	pieces [][]byte // full but for the last one
	starts []int64  // of the pieces
	size   int64
}

// readFrom reads everything. said is the size that the client has told, 0 for none; up to one large
// chunk it is believed.
func (c *chunks) readFrom(r io.Reader, said int64) error {
	next := int64(firstChunk)
	if said > 0 {
		next = min(said+1, largeChunk) // one more shows the end
	}
	for {
		if err := c.held.take(next); err != nil {
			return err
		}
		piece := make([]byte, 0, next)
		var err error
		for err == nil && len(piece) < cap(piece) {
			var n int
			n, err = r.Read(piece[len(piece):cap(piece)])
			piece = piece[:len(piece)+n]
		}
		c.pieces, c.starts = append(c.pieces, piece), append(c.starts, c.size)
		c.size += int64(len(piece))
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		next = min(max(c.size, firstChunk), largeChunk)
	}
}

// joined is the body in one piece.
func (c *chunks) joined() ([]byte, error) {
	if len(c.pieces) == 1 {
		return c.pieces[0], nil
	}
	if err := c.held.take(c.size); err != nil {
		return nil, err
	}
	whole := make([]byte, 0, c.size)
	for i, piece := range c.pieces {
		whole = append(whole, piece...)
		c.pieces[i] = nil
		c.held.give(int64(cap(piece)))
	}
	c.pieces, c.starts = [][]byte{whole}, []int64{0}
	return whole, nil
}

// section reads the body where it is.
func (c *chunks) section() *io.SectionReader { return io.NewSectionReader(c, 0, c.size) }

// ReadAt implements io.ReaderAt.
func (c *chunks) ReadAt(p []byte, at int64) (n int, err error) {
	i := sort.Search(len(c.starts), func(i int) bool { return c.starts[i] > at }) - 1
	for n < len(p) && i < len(c.pieces) {
		from := at + int64(n) - c.starts[i]
		n += copy(p[n:], c.pieces[i][from:])
		i++
	}
	if n < len(p) {
		return n, io.EOF
	}
	return n, nil
}
