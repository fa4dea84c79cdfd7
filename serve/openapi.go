package serve

import (
	_ "embed" // the description
	"net/http"
)

// openAPIText describes the calls over HTTP by OpenAPI 3.1. A test compares it with the routes.
//
//go:embed openapi.json
var openAPIText []byte

// openAPI answers with the description of all calls.
func (s *Server) openAPI(w http.ResponseWriter, _ *http.Request, _ *request) error {
	w.Header().Set("Content-Type", "application/json")
	w.Write(openAPIText) // a client that is gone needs no answer
	return nil
}
