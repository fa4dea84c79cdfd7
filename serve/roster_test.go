package serve

import (
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/pfnamp/pfnamp/internal/must"
)

// Models are replaced under load without an error: each request is answered by the version that it
// has begun with, what stays keeps its queue, and what is replaced is freed once.
func TestReplaceUnderLoad(t *testing.T) {
	all := fixed(t)
	var freed atomic.Int64
	version := func(text string) []Model {
		m := all[0]
		m.Version = text
		m.Done = func() { freed.Add(1) }
		return []Model{all[1], m}
	}
	s, err := New(version("v0"), Options{})
	must.Succeed(t, err)
	h := s.Handler()
	body := rowsJSON(queries(3))
	var stop atomic.Bool
	var clients sync.WaitGroup
	seen := make([]map[string]bool, 4)
	for i := range seen {
		seen[i] = map[string]bool{}
		clients.Go(func() {
			for !stop.Load() {
				r := send(h, "POST", "/v2/models/price/infer", body)
				answer := parse(t, content(t, r))
				if r.StatusCode != 200 {
					t.Errorf("%s %s", r.Status, answer.Error)
					return
				}
				seen[i][answer.Version] = true
			}
		})
	}
	kept := s.models()[0]
	const rounds = 5
	for i := range rounds {
		time.Sleep(20 * time.Millisecond)
		must.Succeed(t, s.Replace(version(fmt.Sprintf("v%d", i+1))))
	}
	stop.Store(true)
	clients.Wait()
	if s.models()[0] != kept {
		t.Error("a model that stayed was made anew")
	}
	if err := s.Replace([]Model{{Name: "a b", Version: "1",
		Predictor: all[0].Predictor}}); err == nil {
		t.Error("a wrong name is served")
	}
	has(t, "after a refusal", send(h, "GET", "/v2/models/price/versions/v5/ready", nil), 200)
	s.Close()
	if n := freed.Load(); n != rounds+1 {
		t.Errorf("%d versions were freed, want %d", n, rounds+1)
	}
}

// Versions of a model stand side by side; the last one answers who names none.
func TestVersions(t *testing.T) {
	all := fixed(t)
	old, recent := all[0], all[2]
	old.Name, old.Version, recent.Name, recent.Version = "price", "old", "price", "new"
	s, err := New([]Model{old, recent}, Options{})
	must.Succeed(t, err)
	defer s.Close()
	h := s.Handler()
	for path, want := range map[string]string{
		"/v2/models": `{"models":["price"]}`, "/v2/models/price": `"versions":["old","new"]`,
		"/v2/models/price/versions/old/columns": `"version":"old"`,
		"/v2/models/price/columns":              `"version":"new"`,
		"/v2/models/price/versions/none":        "use old, new",
	} {
		must.Hold(t, path, string(content(t, send(h, "GET", path, nil))), want)
	}
	if _, err := New([]Model{old, old}, Options{}); err == nil {
		t.Error("two models of one name and version")
	}
}

// Tokens are replaced while the server runs.
func TestSetTokens(t *testing.T) {
	s := newServer(t, Options{Tokens: []string{token}})
	h := s.Handler()
	s.SetTokens([]string{"another-token-of-16"})
	for header, status := range map[string]int{"Bearer " +
		token: 401, "Bearer another-token-of-16": 200} {
		has(t, header, send(h, "GET", "/v2/models", nil, "Authorization", header), status)
	}
}

// A certificate is replaced while the server runs; one that cannot be read leaves the old one.
func TestCertificateReload(t *testing.T) {
	cert, key, _ := certificate(t)
	c, err := ReadTLS(cert, key)
	must.Succeed(t, err)
	first, err := c.Config().GetCertificate(nil)
	must.Succeed(t, err)
	other, otherKey, _ := certificate(t)
	for from, to := range map[string]string{other: cert, otherKey: key} {
		data, err := os.ReadFile(from)
		must.Succeed(t, err)
		must.Succeed(t, os.WriteFile(to, data, 0o600))
	}
	must.Succeed(t, c.Reload())
	second, _ := c.Config().GetCertificate(nil)
	if slices.Equal(first.Certificate[0], second.Certificate[0]) {
		t.Error("the certificate is the old one")
	}
	must.Succeed(t, os.WriteFile(key, []byte("none"), 0o600))
	if err := c.Reload(); err == nil {
		t.Error("a key that is none is read")
	}
	if third, _ := c.Config().GetCertificate(nil); third != second {
		t.Error("a certificate that cannot be read replaces another one")
	}
}

// Pages of allowed sites may ask and read, others may not.
func TestOrigins(t *testing.T) {
	const site = "https://app.example.org"
	h := newServer(t, Options{Origins: []string{site}, Tokens: []string{token}}).Handler()
	ask := func(method, origin string) *http.Response {
		return send(h, method, "/v2/models/price/infer", rowsJSON(queries(1)), "Origin", origin,
			"Sec-Fetch-Site", "cross-site", "Authorization", "Bearer "+token)
	}
	for origin, status := range map[string]int{site: 200, "https://evil.example.org": 403} {
		r := ask("POST", origin)
		allowed := r.Header.Get("Access-Control-Allow-Origin")
		if r.StatusCode != status || (allowed == site) != (status == 200) ||
			r.Header.Get("Vary") != "Origin" {
			t.Errorf("%s: %s, allowed %q", origin, r.Status, allowed)
		}
	}
	r := send(h, "OPTIONS", "/v2/models/price/infer", nil, "Origin", site,
		"Access-Control-Request-Method", "POST")
	if r.StatusCode != 204 ||
		!strings.Contains(r.Header.Get("Access-Control-Allow-Headers"), "Authorization") {
		t.Errorf("preflight: %s %v", r.Status, r.Header)
	}
	if r := send(h, "OPTIONS", "/v2", nil, "Origin",
		"https://evil.example.org"); r.StatusCode/100 != 4 {
		t.Errorf("preflight of another site: %s", r.Status)
	}
	if _, err := New(fixed(t), Options{Origins: []string{"nonsense/"}}); err == nil {
		t.Error("an origin that is none")
	}
}

// openapi.json describes every route and no other one.
func TestOpenAPI(t *testing.T) {
	s := newServer(t, Options{})
	var page struct {
		OpenAPI string
		Paths   map[string]map[string]struct {
			Summary   string
			Responses map[string]json.RawMessage
		}
	}
	text := content(t, send(s.Handler(), "GET", "/openapi.json", nil))
	if err := json.Unmarshal(text, &page); err != nil || page.OpenAPI != "3.1.0" {
		t.Fatalf("%v %s", err, page.OpenAPI)
	}
	var described, routed []string
	for path, methods := range page.Paths {
		for method, call := range methods {
			described = append(described, strings.ToUpper(method)+" "+path)
			if call.Summary == "" || call.Responses["default"] == nil || call.Responses["200"] == nil {
				t.Errorf("%s %s lacks a summary or a response", method, path)
			}
		}
	}
	for pattern := range s.routes() {
		routed = append(routed, strings.Replace(pattern, "{$}", "", 1))
	}
	slices.Sort(described)
	slices.Sort(routed)
	if !slices.Equal(described, routed) {
		t.Errorf("described %v\nrouted %v", described, routed)
	}
	for _, part := range strings.Split(string(text), `"$ref": "`)[1:] {
		reference, _, _ := strings.Cut(part, `"`)
		must.Hold(t, "description", string(text), fmt.Sprintf("%q: {", filepath.Base(reference)))
	}
}
