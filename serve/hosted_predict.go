package serve

import (
	"net/http"

	"github.com/pfnamp/pfnamp/serve/hosted"
)

// hostedPredict answers POST /predict, by which clients fit tables of their own.
func (s *Server) hostedPredict(w http.ResponseWriter, r *http.Request, of *request) error {
	if s.hosted == nil {
		return faultf(http.StatusNotFound, "POST /predict fits tables of clients, which this server was "+
			"started without: whoever runs it can allow fitting; GET /v2/models lists what it predicts")
	}
	of.asks = true
	body, err := s.wholeBody(w, r, of)
	if err != nil {
		return err
	}
	answer, err := s.hosted.Answer(r.Context(), hosted.Request{Body: body,
		ContentType: r.Header.Get("Content-Type"), Rows: s.limits.Rows, TableBytes: s.limits.Expanded,
		Take: of.held.take})
	if err != nil {
		return err
	}
	of.rows = answer.Rows
	return writeJSON(w, http.StatusOK, answer)
}
