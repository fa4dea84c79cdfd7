package serve

import (
	"context"
	"encoding/json"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/pfnamp/pfnamp/internal/panics"
	"github.com/pfnamp/pfnamp/serve/internal/oip"
)

// Handler answers over HTTP.
func (s *Server) Handler() http.Handler {
	mux := http.NewServeMux()
	for pattern, call := range map[string]handler{
		"GET /v2":                                     s.about,
		"GET /v2/health/live":                         s.live,
		"GET /v2/health/ready":                        s.isReady,
		"GET /v2/models":                              s.list,
		"GET /v2/models/{model}":                      s.metadata,
		"GET /v2/models/{model}/ready":                s.modelReady,
		"GET /v2/models/{model}/columns":              s.columns,
		"POST /v2/models/{model}/infer":               s.infer,
		"POST /v2/models/{model}/table":               s.table,
		"GET /v2/models/{model}/versions/{v}":         s.metadata,
		"GET /v2/models/{model}/versions/{v}/ready":   s.modelReady,
		"GET /v2/models/{model}/versions/{v}/columns": s.columns,
		"POST /v2/models/{model}/versions/{v}/infer":  s.infer,
		"POST /v2/models/{model}/versions/{v}/table":  s.table,
		"GET /{$}":         s.page,
		"GET /page/{file}": s.page,
		"GET /metrics":     s.metrics.serve,
	} {
		mux.Handle(pattern, s.handle(pattern, call))
	}
	if s.hosted != nil {
		mux.Handle("POST /predict", s.handle("POST /predict", s.hostedPredict))
	}
	mux.Handle("/", s.handle("other", s.unknown))
	return s.guard(mux)
}

// handler answers a request, or says why not. What it returns is counted and logged.
type handler func(w http.ResponseWriter, r *http.Request, of *request) error

// handle makes an http.Handler: errors are JSON, requests are counted, logged and limited.
func (s *Server) handle(pattern string, call handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		of := &request{protocol: "http", call: pattern, start: time.Now()}
		sent := &sentWriter{ResponseWriter: w}
		err := panics.Job(func() error {
			if !strings.HasPrefix(r.URL.Path, "/v2/health/") { // who looks after it must not take it for dead
				leave, err := s.enter()
				if err != nil {
					return err
				}
				defer leave()
			}
			return call(sent, r, of)
		})()
		s.end(sent, r, of, err)
		if err != nil && of.status != sent.status {
			panic(http.ErrAbortHandler) // what was sent is cut: the client must not take it for whole
		}
	})
}

// end tells the client about an error, and logs and counts the request.
func (s *Server) end(w *sentWriter, r *http.Request, of *request, err error) {
	of.status = w.status
	if err != nil {
		f := told(err)
		if of.status = f.status; f.status == http.StatusInternalServerError {
			of.inside = err
		}
		if w.status == 0 && f.status != gone {
			writeFault(w, f)
		}
	}
	if !strings.Contains(of.call, "/health/") || of.inside != nil {
		s.record(r.Context(), *of)
	}
}

// writeFault sends an error as JSON.
func writeFault(w http.ResponseWriter, f *fault) {
	if f.status == http.StatusTooManyRequests || f.status == http.StatusServiceUnavailable {
		w.Header().Set("Retry-After", "1")
	}
	answer := map[string]string{"error": f.msg}
	if f.code != "" {
		answer["code"] = f.code
	}
	writeJSON(w, f.status, answer)
}

// writeJSON sends a value, whose type has JSON.
func writeJSON(w http.ResponseWriter, status int, value any) error {
	body, err := json.Marshal(value)
	if err != nil {
		return err
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	w.Write(body) // a client that is gone needs no answer
	return nil
}

// sentWriter remembers the status that was sent, 0 while none was.
type sentWriter struct {
	http.ResponseWriter
	status int
}

// WriteHeader implements http.ResponseWriter.
func (w *sentWriter) WriteHeader(status int) {
	if w.status == 0 {
		w.status = status
	}
	w.ResponseWriter.WriteHeader(status)
}

// Write implements http.ResponseWriter.
func (w *sentWriter) Write(p []byte) (int, error) {
	if w.status == 0 {
		w.status = http.StatusOK
	}
	return w.ResponseWriter.Write(p)
}

// Unwrap is for http.ResponseController.
func (w *sentWriter) Unwrap() http.ResponseWriter { return w.ResponseWriter }

// unknown answers where there is nothing.
func (s *Server) unknown(w http.ResponseWriter, r *http.Request, _ *request) error {
	return faultf(http.StatusNotFound, "%s %s is not answered here: the protocol is below /v2",
		r.Method, r.URL.Path)
}

// inferHeader tells how many bytes of a body are JSON, where tensors in binary follow.
const inferHeader = "Inference-Header-Content-Length"

// infer answers a request of the protocol, with JSON or with tensors in binary.
func (s *Server) infer(w http.ResponseWriter, r *http.Request, of *request) error {
	m, err := s.modelOf(r, of)
	if err != nil {
		return err
	}
	within(w, s.limits.Transit)
	body, free, err := s.body(w, r)
	if err != nil {
		return err
	}
	defer free()
	header := len(body)
	if text := r.Header.Get(inferHeader); text != "" {
		if header, err = strconv.Atoi(text); err != nil {
			return faultf(http.StatusBadRequest, "%s is not a number", inferHeader)
		}
	}
	asked, err := oip.ParseRequest(body, header)
	if err != nil {
		return err
	}
	response, err := s.answer(r.Context(), m, asked, of)
	if err != nil {
		return err
	}
	answer, text := response.Encode()
	w.Header().Set("Content-Type", "application/json")
	if text < len(answer) {
		w.Header().Set("Content-Type", "application/octet-stream")
		w.Header().Set(inferHeader, strconv.Itoa(text))
	}
	w.Header().Set("Content-Length", strconv.Itoa(len(answer)))
	w.Write(answer) // a client that is gone needs no answer
	return nil
}

// answer answers a request of the protocol, from whichever transport.
func (s *Server) answer(
	ctx context.Context, m *model, asked *oip.Request, of *request,
) (*oip.Response, error) {
	response, err := m.infer(ctx, asked)
	if err == nil && len(response.Outputs) > 0 {
		of.rows = response.Outputs[0].Rows
	}
	return response, err
}

// modelOf is the model that a path names.
func (s *Server) modelOf(r *http.Request, of *request) (*model, error) {
	m, err := s.model(r.PathValue("model"), r.PathValue("v"))
	if err == nil {
		of.model = m.Name
	}
	return m, err
}
