package serve

import (
	"io"
	"net/http"
	"strings"
)

// linger reads, for a short time, what a client still sends after it was told about an error. To
// close the connection before that would let the system throw the error away with what comes, and
// the client would only learn that its connection broke.
func (s *Server) linger(w *answerWriter, r *http.Request, of *request) {
	if r.ProtoMajor != 1 || silent(r, of) {
		return
	}
	within(w, s.limits.Header)
	if _, err := io.CopyN(io.Discard, r.Body, s.limits.Body); err != io.EOF {
		panic(http.ErrAbortHandler) // what follows on the connection is no request
	}
}

// silent reports whether the rest of a body will not come: its client is slow, or waits to be told
// to send it.
func silent(r *http.Request, of *request) bool {
	return of.class == classSlow ||
		!of.reading && strings.EqualFold(r.Header.Get("Expect"), "100-continue")
}
