package serve

import (
	"io"
	"net/http"
	"runtime/debug"
	"sort"
)

// large is how many bytes a request must have held for the collector to run when it ends: the next
// ones find that memory free, and the system gets it back.
const large = 16 << 20

// account is the memory that one request holds: its body, and what is made of it. The accounts of
// all requests together are bounded by Limits.Held. One goroutine uses it.
type account struct {
	server *Server
	n      int64
	peak   int64 // of n
}

// take counts memory before it is allocated, and fails where there is not so much.
func (a *account) take(n int64) error {
	limit := a.server.limits.Held
	a.n += n
	a.peak = max(a.peak, a.n)
	switch all := a.server.held.Add(n); {
	case a.n > limit:
		return faultf(http.StatusRequestEntityTooLarge, "the request needs more memory than the limit "+
			"of %d bytes: send fewer rows at once", limit).classed("memory")
	case all > limit:
		return faultf(http.StatusTooManyRequests,
			"the server is at its memory limit: retry in a second").classed("memory")
	}
	return nil
}

// give counts memory that is not needed any more.
func (a *account) give(n int64) {
	a.n -= n
	a.server.held.Add(-n)
}

// free gives back all that was taken.
func (a *account) free() {
	a.give(a.n)
	if a.peak >= large {
		a.peak = 0
		debug.FreeOSMemory()
	}
}

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
