package serve

import (
	"net/http"
	"time"
)

// answerWriter remembers the status that was sent, 0 while none was, and limits the time for every
// part of the answer: a client that does not read cannot hold the request for ever.
type answerWriter struct {
	http.ResponseWriter
	status int
	limit  time.Duration // for a part
}

// partBytes is the size of a part of an answer.
const partBytes = 256 << 10

func (w *answerWriter) WriteHeader(status int) {
	if w.status == 0 {
		w.status = status
	}
	w.patient()
	w.ResponseWriter.WriteHeader(status)
}

func (w *answerWriter) Write(p []byte) (n int, err error) {
	if w.status == 0 {
		w.status = http.StatusOK
	}
	for first := true; first || len(p) > 0; first = false {
		w.patient()
		part := p[:min(len(p), partBytes)]
		sent, err := w.ResponseWriter.Write(part)
		n += sent
		if err != nil {
			return n, err
		}
		p = p[len(part):]
	}
	return n, nil
}

// FlushError is for http.ResponseController. The computation of the next part may take any time.
func (w *answerWriter) FlushError() error {
	w.patient()
	control := http.NewResponseController(w.ResponseWriter)
	err := control.Flush()
	if err == nil {
		control.SetWriteDeadline(time.Time{})
	}
	return err
}

// patient gives the client time for the next part.
func (w *answerWriter) patient() {
	control := http.NewResponseController(w.ResponseWriter)
	control.SetWriteDeadline(time.Now().Add(w.limit)) // the writers of tests have no deadline
}

func (w *answerWriter) Unwrap() http.ResponseWriter { return w.ResponseWriter }
