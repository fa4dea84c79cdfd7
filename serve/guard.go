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
func (s *Server) guard(next http.Handler) http.Handler {
	crossing := http.NewCrossOriginProtection()
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch {
		case !s.calledByName(r.Host):
			writeFault(w, faultf(http.StatusMisdirectedRequest,
				"the server is not called by this name: it serves this machine only"))
		case crossing.Check(r) != nil:
			writeFault(w, faultf(http.StatusForbidden, "the request comes from the page of another site"))
		case !s.open(r.URL.Path) && !s.knows(r.Header.Get("Authorization")):
			w.Header().Set("WWW-Authenticate", "Bearer")
			writeFault(w, errToken)
		default:
			next.ServeHTTP(w, r)
		}
	})
}

// errToken refuses who has no token.
var errToken = faultf(http.StatusUnauthorized,
	"a token is needed, and none or another one was sent: send the header Authorization: Bearer TOKEN")

// open reports whether a path needs no token.
func (s *Server) open(path string) bool {
	return path == "/" || strings.HasPrefix(path, "/page/") || strings.HasPrefix(path, "/v2/health/")
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
	if len(s.options.Tokens) == 0 {
		return true
	}
	kind, token, _ := strings.Cut(header, " ")
	sent, found := sha256.Sum256([]byte(token)), 0
	for _, known := range s.options.Tokens {
		sum := sha256.Sum256([]byte(known))
		found |= subtle.ConstantTimeCompare(sent[:], sum[:])
	}
	return found == 1 && strings.EqualFold(kind, "Bearer")
}
