package serve

import (
	"bytes"
	"encoding/binary"
	"io"
	"net/http"
)

// framing is what stands before a message of gRPC: whether it is compressed, and its bytes, four of
// them, the highest first.
const framing = 5

// message reads the message of a call within the limits of a body, unpacks it, and puts it in the
// place of the body. free gives back its bytes.
func (s *Server) message(w http.ResponseWriter, r *http.Request) (free func(), err error) {
	var head [framing]byte
	if _, err := io.ReadFull(r.Body, head[:]); err != nil {
		return nil, bodyFault(err)
	}
	size := int64(binary.BigEndian.Uint32(head[1:]))
	if size > s.limits.Body {
		return nil, told(&http.MaxBytesError{Limit: s.limits.Body})
	}
	packed := head[0] == 1
	r.Header.Del("Content-Encoding")
	if packed {
		r.Header.Set("Content-Encoding", r.Header.Get("Grpc-Encoding"))
	}
	r.Header.Del("Grpc-Encoding")
	r.Body, r.ContentLength = io.NopCloser(io.LimitReader(r.Body, size)), size
	data, free, err := s.body(w, r)
	if err != nil {
		return nil, err
	}
	if !packed && int64(len(data)) < size {
		free()
		return nil, bodyFault(io.ErrUnexpectedEOF)
	}
	plain := binary.BigEndian.AppendUint32([]byte{0}, uint32(len(data)))
	r.Body = io.NopCloser(io.MultiReader(bytes.NewReader(plain), bytes.NewReader(data)))
	return free, nil
}
