package serve

import (
	"bytes"
	"embed"
	"net/http"
	"path"
	"time"

	"github.com/pfnamp/pfnamp/internal/numberscript"
)

// web is the page: HTML, its style and its script.
//
//go:embed web
var web embed.FS

// pagePolicy lets the page load and ask nothing but what comes from this server.
const pagePolicy = "default-src 'none'; script-src 'self'; style-src 'self'; " +
	"connect-src 'self'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

func (s *Server) page(w http.ResponseWriter, r *http.Request, _ *request) error {
	name := r.PathValue("file")
	if name == "" {
		name = "page.html"
	}
	text, err := web.ReadFile(path.Join("web", name))
	if name == "numbers.js" { // which reports have too
		text, err = []byte(numberscript.Script), nil
	}
	if err != nil {
		return faultf(http.StatusNotFound, "the page has no file %q", name)
	}
	w.Header().Set("Content-Security-Policy", pagePolicy)
	w.Header().Set("X-Content-Type-Options", "nosniff")
	w.Header().Set("Referrer-Policy", "no-referrer")
	w.Header().Set("Cache-Control", "no-cache")
	http.ServeContent(w, r, name, time.Time{}, bytes.NewReader(text))
	return nil
}

// openAPIText describes the calls over HTTP by OpenAPI 3.1. A test compares it with the routes.
//
//go:embed openapi.json
var openAPIText []byte

func (s *Server) openAPI(w http.ResponseWriter, _ *http.Request, _ *request) error {
	w.Header().Set("Content-Type", "application/json")
	w.Write(openAPIText) // a client that is gone needs no answer
	return nil
}
