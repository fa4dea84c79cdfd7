package serve

import (
	"container/list"
	"net"
	"net/http"
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
