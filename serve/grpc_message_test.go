package serve

import (
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"io"
	"net/http"
	"strconv"
	"testing"
	"time"

	"google.golang.org/grpc/codes"
	healthpb "google.golang.org/grpc/health/grpc_health_v1"
)

// framed is a message whose head announces so many bytes, with the bytes that are sent.
func framed(packed byte, size int, sent []byte) []byte {
	return append(binary.BigEndian.AppendUint32([]byte{packed}, uint32(size)), sent...)
}

// Calls are refused before their message is in memory: here most of them send a part of it, and
// nothing more.
func TestGRPCBeforeMessage(t *testing.T) {
	s, l, _ := running(t, Options{Tokens: []string{token}, Limits: Limits{Requests: 1, Body: 50_000,
		Expanded: 60_000, Held: 100_000, Transit: 200 * time.Millisecond}}, Listeners{})
	transport := &http.Transport{Protocols: new(http.Protocols)}
	transport.Protocols.SetUnencryptedHTTP2(true)
	defer transport.CloseIdleConnections()
	call := func(sent []byte, ends bool, header ...string) codes.Code {
		t.Helper()
		body, end := io.Pipe()
		defer end.Close()
		go func() {
			end.Write(sent)
			if ends {
				end.Close()
			}
		}()
		r, err := http.NewRequestWithContext(t.Context(), http.MethodPost,
			"http://"+l.GRPC.Addr().String()+
				"/inference.GRPCInferenceService/ModelInfer", body)
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("Content-Type", "application/grpc")
		r.Header.Set("Authorization", "Bearer "+token)
		for i := 0; i < len(header); i += 2 {
			r.Header.Set(header[i], header[i+1])
		}
		answer, err := transport.RoundTrip(r)
		if err != nil {
			t.Fatal(err)
		}
		defer answer.Body.Close()
		code, err := strconv.Atoi(answer.Header.Get("Grpc-Status"))
		if err != nil {
			t.Fatalf("%v", answer.Header)
		}
		return codes.Code(code)
	}
	want := func(name string, got, want codes.Code) {
		t.Helper()
		if got != want {
			t.Errorf("%s: %v, want %v", name, got, want)
		}
	}
	part := framed(0, 40_000, []byte("part"))
	want("no token", call(part, false, "Authorization", "Bearer none"), codes.Unauthenticated)
	s.running <- struct{}{}
	want("too many requests", call(part, false), codes.ResourceExhausted)
	conn, _ := dial(t, l)
	if _, err := healthpb.NewHealthClient(conn).Check(t.Context(),
		&healthpb.HealthCheckRequest{}); err != nil {
		t.Errorf("health where there are too many requests: %v", err)
	}
	if r := send(s.Handler(), "GET", "/v2/health/live", nil); r.StatusCode != http.StatusOK {
		t.Errorf("health where there are too many requests: %s", r.Status)
	}
	<-s.running
	s.held.Add(100_000)
	want("too many bytes", call(part, false), codes.ResourceExhausted)
	s.held.Add(-100_000)
	want("large", call(framed(0, 50_001, nil), false), codes.ResourceExhausted)
	want("slow", call(part, false), codes.InvalidArgument)
	want("cut", call(part, true), codes.InvalidArgument)
	want("no message", call(nil, true), codes.InvalidArgument)
	var bomb bytes.Buffer
	packer := gzip.NewWriter(&bomb)
	packer.Write(make([]byte, 60_001))
	packer.Close()
	want("bomb", call(framed(1, bomb.Len(), bomb.Bytes()), true, "Grpc-Encoding", "gzip"),
		codes.ResourceExhausted)
	want("not packed", call(framed(1, 4, []byte("part")), true, "Grpc-Encoding", "gzip"),
		codes.InvalidArgument)
	want("unknown packing", call(framed(1, 4, []byte("part")), true, "Grpc-Encoding", "snappy"),
		codes.Unimplemented)
	if s.held.Load() != 0 || s.waiting() != 0 {
		t.Errorf("%d bytes held, %d requests", s.held.Load(), s.waiting())
	}
}
