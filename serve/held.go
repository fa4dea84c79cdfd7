package serve

import (
	"io"
	"net/http"
	"runtime/debug"
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
	switch all := a.server.held.Add(n); {
	case a.n > limit:
		a.give(n)
		return faultf(http.StatusRequestEntityTooLarge, "the request needs more memory than the limit "+
			"of %d bytes: send fewer rows at once", limit).classed("memory")
	case all > limit:
		a.give(n)
		return faultf(http.StatusTooManyRequests,
			"the server is at its memory limit: retry in a second").classed("memory")
	}
	a.peak = max(a.peak, a.n)
	return nil
}

func (a *account) give(n int64) {
	a.n -= n
	a.server.held.Add(-n)
}

func (a *account) free() {
	a.give(a.n)
	if a.peak >= large {
		a.peak = 0
		debug.FreeOSMemory()
	}
}

// The sizes of the buffer that a body is read into at first.
const (
	leastBuffer = 4 << 10
	mostBuffer  = 1 << 20
)

// readAll reads everything into a buffer that doubles, and counts it before it is allocated. said
// is the size that the client has told, 0 for none.
func (a *account) readAll(r io.Reader, said int64) ([]byte, error) {
	var all []byte
	for size := min(max(said+1, leastBuffer), mostBuffer); ; size *= 2 { // one more shows the end
		if err := a.take(size); err != nil {
			return nil, err
		}
		before := int64(cap(all))
		all = append(make([]byte, 0, size), all...)
		a.give(before)
		for len(all) < cap(all) {
			n, err := r.Read(all[len(all):cap(all)])
			all = all[:len(all)+n]
			if err == io.EOF {
				return all, nil
			}
			if err != nil {
				return nil, err
			}
		}
	}
}
