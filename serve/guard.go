package serve

import (
	"crypto/sha256"
	"crypto/subtle"
	"net"
	"net/http"
	"slices"
	"strings"
)

// guard lets in who may come in: requests by a name that the server has, that no page of another
// site sends, with a token where one is needed. Health, and the page, which holds nothing by
// itself, need none.
func (s *Server) guard(w http.ResponseWriter, r *http.Request) error {
	if !s.calledByName(r.Host) {
		return faultf(http.StatusMisdirectedRequest, "the server does not answer to this host name: "+
			"call it by a name that it knows, such as localhost")
	}
	s.allow(w, r)
	if s.sites.Check(r) != nil {
		return faultf(http.StatusForbidden, "the request comes from a page of another site, whose "+
			"origin is not allowed")
	}
	if !s.open(r) && !s.knows(r.Header.Get("Authorization")) {
		w.Header().Set("WWW-Authenticate", "Bearer")
		return errToken
	}
	return nil
}

// errToken refuses a request without a valid token.
var errToken = faultf(http.StatusUnauthorized,
	"the token is missing or wrong: send the header Authorization: Bearer TOKEN")

// allow tells the browser that a page of an allowed site may read the answer.
func (s *Server) allow(w http.ResponseWriter, r *http.Request) {
	if len(s.options.Origins) == 0 {
		return
	}
	header := w.Header()
	header.Add("Vary", "Origin")
	if origin := r.Header.Get("Origin"); slices.Contains(s.options.Origins, origin) {
		header.Set("Access-Control-Allow-Origin", origin)
		header.Set("Access-Control-Expose-Headers",
			strings.Join([]string{idHeader, inferHeader, warningsHeader, "Retry-After"}, ", "))
	}
}

// preflight answers the question of a browser whether a page of an allowed site may ask, and
// reports whether it was one.
func (s *Server) preflight(w http.ResponseWriter, r *http.Request) bool {
	if r.Method != http.MethodOptions || w.Header().Get("Access-Control-Allow-Origin") == "" {
		return false
	}
	header := w.Header()
	header.Set("Access-Control-Allow-Methods", "GET, POST")
	header.Set("Access-Control-Allow-Headers", strings.Join([]string{"Authorization", "Content-Type",
		"Content-Encoding", idHeader, inferHeader, "Traceparent"}, ", "))
	header.Set("Access-Control-Max-Age", "600")
	w.WriteHeader(http.StatusNoContent)
	return true
}

// open reports whether a request needs no token. Preflights never have one.
func (s *Server) open(r *http.Request) bool {
	path := r.URL.Path
	return path == "/" || strings.HasPrefix(path, "/page/") ||
		strings.HasPrefix(path, "/v2/health/") ||
		r.Method == http.MethodOptions && slices.Contains(s.options.Origins, r.Header.Get("Origin"))
}

// calledByName reports whether a host is one of those that the server may be called by.
func (s *Server) calledByName(host string) bool {
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	host = strings.ToLower(strings.Trim(host, "[]"))
	return s.options.Hosts == nil || slices.Contains(s.options.Hosts, host)
}

// knows reports whether a header has one of the tokens. How long it takes tells nothing of them.
func (s *Server) knows(header string) bool {
	tokens := *s.tokens.Load()
	if len(tokens) == 0 {
		return true
	}
	kind, token, _ := strings.Cut(header, " ")
	sent, found := sha256.Sum256([]byte(token)), 0
	for _, known := range tokens {
		found |= subtle.ConstantTimeCompare(sent[:], known[:])
	}
	return found == 1 && strings.EqualFold(kind, "Bearer")
}
