package serve

import (
	"net/http"
	"strconv"

	"github.com/pfnamp/pfnamp/serve/internal/oip"
)

// inferHeader is the header with the number of JSON bytes in a body, before binary tensors.
const inferHeader = "Inference-Header-Content-Length"

func (s *Server) infer(w http.ResponseWriter, r *http.Request, of *request, m *model) error {
	of.asks = true
	asked, err := s.asked(w, r, of)
	if err != nil {
		return err
	}
	response, err := m.infer(r.Context(), asked, of)
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

func (s *Server) asked(w http.ResponseWriter, r *http.Request, of *request) (*oip.Request, error) {
	body, err := s.body(w, r, of)
	if err != nil {
		return nil, err
	}
	header := len(body)
	if text := r.Header.Get(inferHeader); text != "" {
		if header, err = strconv.Atoi(text); err != nil {
			return nil, faultf(http.StatusBadRequest, "the header %s is not a number: send the number of "+
				"JSON bytes", inferHeader)
		}
	}
	return oip.ParseRequest(body, header, of.held.take)
}
