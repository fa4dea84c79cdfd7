package serve

import (
	"bytes"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"log/slog"
	"math/big"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/pfnamp/pfnamp/internal/must"
)

const token = "correct-horse-battery"

// Without a token, or with another one, nothing but health and the page is answered.
func TestTokens(t *testing.T) {
	h := newServer(t, Options{Tokens: []string{"another-token-of-16", token}}).Handler()
	for _, c := range []struct {
		path, header string
		status       int
	}{
		{"/v2/models", "", 401}, {"/v2/models", "Bearer wrong-token-of-16", 401},
		{"/v2/models", "Basic " + token, 401}, {"/v2/models", token, 401}, {"/metrics", "", 401},
		{"/v2/models/none", "", 401}, {"/v2", "Bearer", 401},
		{"/v2/models", "Bearer " + token, 200}, {"/v2/models", "bearer another-token-of-16", 200},
		{"/v2/health/ready", "", 200}, {"/v2/health/live", "", 200}, {"/", "", 200},
		{"/page/page.js", "", 200}, {"/page/numbers.js", "", 200}, {"/page/none.js", "", 404},
		{"/page/%2e", "", 404}, {"/page/%2e%2e%2fpage.go", "", 404},
	} {
		has(t, c, send(h, "GET", c.path, nil, "Authorization", c.header), c.status)
	}
}

// Pages of other sites get nothing: neither by their own name for this machine nor across.
func TestOtherSites(t *testing.T) {
	h := newServer(t, Options{Hosts: LocalHosts()}).Handler()
	for _, c := range []struct {
		method, url, site string
		status            int
	}{
		{"GET", "http://evil.example/v2", "", 421}, {"GET", "http://localhost.evil.example:80/v2",
			"", 421},
		{"GET", "http://localhost:8080/v2", "", 200}, {"GET", "http://127.0.0.1/v2", "", 200},
		{"GET", "http://[::1]:8080/v2", "", 200}, {"GET", "http://LOCALHOST/v2", "", 200},
		{"POST", "http://localhost/v2/models/price/infer", "cross-site", 403},
		{"POST", "http://localhost/v2/models/price/infer", "same-origin", 400},
	} {
		has(t, c, send(h, c.method, c.url, nil, "Sec-Fetch-Site", c.site), c.status)
	}
}

func TestReadTokens(t *testing.T) {
	path := filepath.Join(t.TempDir(), "tokens")
	for text, want := range map[string]string{
		"": "no token", "# none\n\n": "no token", "short\n": "shorter than 16", "# a\n" + token +
			" x\n": "tokens:2",
		"# a\n" + token + "\r\n": "",
	} {
		must.Succeed(t, os.WriteFile(path, []byte(text), 0o600))
		tokens, err := ReadTokens(path)
		switch {
		case want == "" && (err != nil || len(tokens) != 1 || tokens[0] != token):
			t.Errorf("%q: %v %v", text, tokens, err)
		case want != "" && (err == nil || !strings.Contains(err.Error(), want) ||
			strings.Contains(err.Error(), token)):
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
}

// certificate writes a self-signed certificate and its key.
func certificate(t *testing.T) (cert, key string, pool *x509.CertPool) {
	t.Helper()
	private, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	must.Succeed(t, err)
	about := &x509.Certificate{SerialNumber: big.NewInt(1), NotAfter: time.Now().Add(time.Hour),
		IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}, IsCA: true, BasicConstraintsValid: true}
	der, err := x509.CreateCertificate(rand.Reader, about, about, private.Public(), private)
	must.Succeed(t, err)
	secret, err := x509.MarshalPKCS8PrivateKey(private)
	must.Succeed(t, err)
	cert, key = filepath.Join(t.TempDir(), "cert"), filepath.Join(t.TempDir(), "key")
	for path, block := range map[string]*pem.Block{cert: {Type: "CERTIFICATE", Bytes: der},
		key: {Type: "PRIVATE KEY", Bytes: secret}} {
		must.Succeed(t, os.WriteFile(path, pem.EncodeToMemory(block), 0o600))
	}
	pool = x509.NewCertPool()
	pool.AppendCertsFromPEM(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der}))
	return cert, key, pool
}

// With TLS, HTTP/1.1 and HTTP/2 are answered, and plain text is not.
func TestTLS(t *testing.T) {
	cert, key, pool := certificate(t)
	config, err := ReadTLS(cert, key)
	must.Succeed(t, err)
	_, l, _ := running(t, Options{}, Listeners{TLS: config.Config()})
	address := l.HTTP.Addr().String()
	for _, two := range []bool{false, true} {
		transport := &http.Transport{TLSClientConfig: &tls.Config{RootCAs: pool}, ForceAttemptHTTP2: two}
		r, err := (&http.Client{Transport: transport}).Post("https://"+address+"/v2/models/price/infer",
			"application/json", bytes.NewReader(rowsJSON(queries(3))))
		must.Succeed(t, err)
		if two != (r.ProtoMajor == 2) {
			t.Errorf("HTTP/2 %v: %s", two, r.Proto)
		}
		compare(t, parse(t, content(t, r)), "price", queries(3))
		transport.CloseIdleConnections()
	}
	if r, err := http.Get("http://" + address + "/v2"); err == nil && r.StatusCode == 200 {
		t.Error("plain text is answered")
	}
}

// The log tells who asked for what, and no feature, no token and no error that repeats one.
func TestLogHasNoFeature(t *testing.T) {
	var log strings.Builder
	s := newServer(t, Options{Tokens: []string{token}, Log: slog.New(slog.NewJSONHandler(&log, nil))})
	h := s.Handler()
	body := `{"inputs":[{"name":"area","datatype":"BYTES","shape":[1],"data":["SECRET"]},` +
		`{"name":"rooms","datatype":"INT8","shape":[1],"data":[3]}]}`
	r := send(h, "POST", "/v2/models/numbers/infer", []byte(body), "Authorization", "Bearer "+token)
	if answer := content(t, r); !strings.Contains(string(answer), "SECRET") {
		t.Errorf("the client is not told: %s", answer)
	}
	send(h, "GET", "/v2/SECRET?SECRET", nil, "Authorization", "Bearer "+token)
	if text := log.String(); strings.Contains(text, "SECRET") || strings.Contains(text, token) ||
		!strings.Contains(text, `"status":400`) || !strings.Contains(text, `"model":"numbers"`) {
		t.Error(text)
	}
}
