package serve

import (
	"container/list"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
)

// silence bounds the connections that send nothing: where there are more, the one that has been
// silent for longest is closed. So they cannot use up what connections are made of, and those that
// do send something are always let in.
type silence struct {
	most int

	mu    sync.Mutex
	order *list.List // of net.Conn, the longest silent one first
	place map[net.Conn]*list.Element
}

// newSilence allows so many silent connections.
func newSilence(most int) *silence {
	return &silence{most: most, order: list.New(), place: map[net.Conn]*list.Element{}}
}

// state is a hook of http.Server: it learns what has become of a connection.
func (s *silence) state(c net.Conn, state http.ConnState) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if at := s.place[c]; at != nil {
		s.order.Remove(at)
		delete(s.place, c)
	}
	if state != http.StateNew && state != http.StateIdle {
		return
	}
	s.place[c] = s.order.PushBack(c)
	if s.order.Len() > s.most {
		oldest := s.order.Remove(s.order.Front()).(net.Conn)
		delete(s.place, oldest)
		oldest.Close()
	}
}

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
