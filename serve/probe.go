package serve

import (
	"bytes"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net/http"
)

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
