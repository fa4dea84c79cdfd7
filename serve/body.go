package serve

import (
	"bytes"
	"compress/gzip"
	"compress/zlib"
	"io"
	"net/http"
	"strings"
	"time"
)

// body reads the whole body of a request, unpacked, within the limits. free gives back its bytes.
func (s *Server) body(
	w http.ResponseWriter, r *http.Request,
) (data []byte, free func(), err error) {
	from, err := s.unpacked(w, r)
	if err != nil {
		return nil, nil, err
	}
	counted := &countedReader{from: from, server: s}
	free = func() { s.held.Add(-counted.n) }
	var buffer bytes.Buffer
	if r.ContentLength > 0 && r.ContentLength <= 1<<20 { // what is said is believed up to here
		buffer.Grow(int(r.ContentLength) + bytes.MinRead)
	}
	if _, err = buffer.ReadFrom(counted); err != nil {
		free()
		return nil, nil, bodyFault(err)
	}
	return buffer.Bytes(), free, nil
}

// unpacked is the body of a request without its compression, within the limits.
func (s *Server) unpacked(w http.ResponseWriter, r *http.Request) (io.Reader, error) {
	sent := io.Reader(http.MaxBytesReader(w, r.Body, s.limits.Body))
	encoding := strings.ToLower(strings.TrimSpace(r.Header.Get("Content-Encoding")))
	var err error
	switch encoding {
	case "", "identity":
		return sent, nil
	case "gzip", "x-gzip":
		sent, err = gzip.NewReader(sent)
	case "deflate":
		sent, err = zlib.NewReader(sent)
	default:
		return nil, faultf(http.StatusUnsupportedMediaType,
			"Content-Encoding %q is not one of gzip, deflate, identity", encoding)
	}
	if err != nil {
		return nil, bodyFault(err)
	}
	return &cappedReader{from: sent, left: s.limits.Expanded, limit: s.limits.Expanded}, nil
}

// bodyFault is what a client is told about a body that cannot be read.
func bodyFault(err error) error {
	if f := told(err); f.status != http.StatusInternalServerError {
		return f
	}
	return faultf(http.StatusBadRequest, "the body cannot be read: it is cut short, too slow, or not "+
		"compressed as its Content-Encoding says")
}

// cappedReader fails where a body expands to more than it may.
type cappedReader struct {
	from        io.Reader
	left, limit int64
}

// Read implements io.Reader.
func (c *cappedReader) Read(p []byte) (int, error) {
	n, err := c.from.Read(p[:min(int64(len(p)), c.left+1)])
	if c.left -= int64(n); c.left < 0 {
		return 0, faultf(http.StatusRequestEntityTooLarge,
			"the body expands to more than %d bytes", c.limit)
	}
	return n, err
}

// countedReader counts bytes among those that are held, and fails where these are too many.
type countedReader struct {
	from   io.Reader
	server *Server
	n      int64
}

// Read implements io.Reader.
func (c *countedReader) Read(p []byte) (int, error) {
	n, err := c.from.Read(p)
	c.n += int64(n)
	if c.server.held.Add(int64(n)) > c.server.limits.Held {
		return 0, faultf(http.StatusTooManyRequests,
			"the bodies of all requests take too much memory: try again later")
	}
	return n, err
}

// cut ends a read of the body. A connection whose deadline is over has no further requests.
func cut(w http.ResponseWriter, r *http.Request) {
	if r.ProtoMajor == 1 {
		w.Header().Set("Connection", "close")
	}
	within(w, 0)
}

// within gives the client so much time for the next part of its request and its answer.
func within(w http.ResponseWriter, limit time.Duration) {
	control := http.NewResponseController(w)
	control.SetReadDeadline(time.Now().Add(limit)) // of tests' writers there is none
}
