package serve

import (
	"bytes"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"sync/atomic"
)

// Listen listens at the TCP address HOST:PORT; port 0 selects a free port.
func Listen(ctx context.Context, address string) (net.Listener, error) {
	return new(net.ListenConfig).Listen(ctx, "tcp", address)
}

// Loopback reports whether an address is a loopback address. The error says that the address cannot
// be resolved.
func Loopback(address string) (bool, error) {
	at, err := net.ResolveTCPAddr("tcp", address)
	if err != nil {
		return false, err
	}
	return at.IP.IsLoopback(), nil
}

// LocalHosts returns the names of this machine for itself; see Options.Hosts.
func LocalHosts() []string { return []string{"localhost", "127.0.0.1", "::1"} }

// Certificate is a certificate with its key, from PEM files. It can be reloaded while a server uses
// it.
type Certificate struct {
	certificate, key string
	pair             atomic.Pointer[tls.Certificate]
}

// ReadTLS reads a certificate and its key.
func ReadTLS(certificate, key string) (*Certificate, error) {
	c := &Certificate{certificate: certificate, key: key}
	return c, c.Reload()
}

// Reload reads the files again. On an error the certificate does not change.
func (c *Certificate) Reload() error {
	pair, err := tls.LoadX509KeyPair(c.certificate, c.key)
	if err != nil {
		return err
	}
	c.pair.Store(&pair)
	return nil
}

// Config returns the configuration for [Listeners]. New connections get the certificate that was
// read last.
func (c *Certificate) Config() *tls.Config {
	return &tls.Config{MinVersion: tls.VersionTLS12,
		GetCertificate: func(*tls.ClientHelloInfo) (*tls.Certificate, error) {
			return c.pair.Load(), nil
		}}
}

// leastToken is the number of characters that a token has at least.
const leastToken = 16

// ReadTokens reads tokens from a file, one per line. It ignores empty lines and lines that begin
// with #. A file without tokens is an error, and so is a token that is shorter than 16 characters
// or has a space. The error names the file and the line, never the token.
func ReadTokens(path string) ([]string, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	var tokens []string
	for i, line := range bytes.Split(data, []byte("\n")) {
		line = bytes.TrimSpace(line)
		switch {
		case len(line) == 0 || line[0] == '#':
		case len(line) < leastToken || bytes.ContainsAny(line, " \t"):
			return nil, fmt.Errorf("%s:%d: the token is shorter than %d characters or has a space", path,
				i+1, leastToken)
		default:
			tokens = append(tokens, string(line))
		}
	}
	if len(tokens) == 0 {
		return nil, fmt.Errorf("%s: the file has no token: write one per line", path)
	}
	return tokens, nil
}

// Probe checks that a server is ready. With a certificate it uses TLS and accepts only a server
// with exactly this certificate, whatever its names, because a probe calls 127.0.0.1. The error
// says why the server is not ready.
func Probe(ctx context.Context, address string, c *Certificate) error {
	scheme, transport := "http://", &http.Transport{DisableKeepAlives: true}
	if c != nil {
		scheme = "https://"
		transport.TLSClientConfig = &tls.Config{MinVersion: tls.VersionTLS12, InsecureSkipVerify: true,
			VerifyConnection: func(state tls.ConnectionState) error {
				if !bytes.Equal(state.PeerCertificates[0].Raw, c.pair.Load().Certificate[0]) {
					return errors.New("the server has a different certificate")
				}
				return nil
			}}
	}
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, scheme+address+"/v2/health/ready", nil)
	if err != nil {
		return err
	}
	answer, err := (&http.Client{Transport: transport}).Do(r)
	if err != nil {
		return err
	}
	defer answer.Body.Close()
	if answer.StatusCode != http.StatusOK {
		return fmt.Errorf("%s is not ready: %s", address, answer.Status)
	}
	return nil
}
