package serve

import (
	"compress/gzip"
	"compress/zlib"
	"io"
	"net/http"
	"strings"
	"time"
)

// body reads the whole body of a request, unpacked, within the limits.
func (s *Server) body(w http.ResponseWriter, r *http.Request, of *request) ([]byte, error) {
	of.reading = true
	within(w, s.limits.Transit)
	from, packed, err := s.unpacked(w, r)
	if err != nil {
		return nil, err
	}
	said := r.ContentLength
	if packed {
		said = 0
	}
	body, err := of.held.readAll(from, said)
	if err != nil {
		return nil, bodyFault(err)
	}
	return body, nil
}

// unpacked is the body of a request without its compression, within the limits. packed tells
// whether it had one.
func (s *Server) unpacked(
	w http.ResponseWriter, r *http.Request,
) (from io.Reader, packed bool, err error) {
	sent := http.MaxBytesReader(w, r.Body, s.limits.Body)
	encoding := strings.ToLower(strings.TrimSpace(r.Header.Get("Content-Encoding")))
	switch encoding {
	case "", "identity":
		return sent, false, nil
	case "gzip", "x-gzip":
		from, err = gzip.NewReader(sent)
	case "deflate":
		from, err = zlib.NewReader(sent)
	default:
		return nil, false, faultf(http.StatusUnsupportedMediaType,
			"Content-Encoding %q is not one of gzip, deflate, identity", encoding)
	}
	if err != nil {
		return nil, false, bodyFault(err)
	}
	return &cappedReader{from: from, limit: s.limits.Expanded}, true, nil
}

// bodyFault is the client's error for a body that cannot be read.
func bodyFault(err error) error {
	if f := told(err); f.Status != http.StatusInternalServerError {
		return f
	}
	return faultf(http.StatusBadRequest, "the body cannot be read: it is truncated, or its "+
		"compression does not match its Content-Encoding").classed("body")
}

// cappedReader fails where a body expands to more than it may.
type cappedReader struct {
	from  io.Reader
	n     int64 // bytes so far
	limit int64
}

func (c *cappedReader) Read(p []byte) (int, error) {
	n, err := c.from.Read(p)
	if c.n += int64(n); c.n > c.limit {
		return 0, faultf(http.StatusRequestEntityTooLarge,
			"the body expands to more than %d bytes: send fewer rows at once", c.limit)
	}
	return n, err
}

// within gives the client so much time for the next part of its request.
func within(w http.ResponseWriter, limit time.Duration) {
	control := http.NewResponseController(w)
	control.SetReadDeadline(time.Now().Add(limit)) // the writers of tests have no deadline
}
