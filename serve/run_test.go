package serve

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/pfnamp/pfnamp/internal/must"
)

// running serves the fixtures on ports of their own, until the returned function stops it, whose
// result is that of Run.
func running(t testing.TB, opt Options, l Listeners) (*Server, Listeners, func() error) {
	t.Helper()
	return serving(t, newServer(t, opt), l)
}

// serving is running for a server.
func serving(t testing.TB, s *Server, l Listeners) (*Server, Listeners, func() error) {
	t.Helper()
	var err error
	l.HTTP, err = Listen(t.Context(), "127.0.0.1:0")
	must.Succeed(t, err)
	l.GRPC, err = Listen(t.Context(), "127.0.0.1:0")
	must.Succeed(t, err)
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- s.Run(ctx, l) }()
	stop := sync.OnceValue(func() error {
		cancel()
		return <-done
	})
	t.Cleanup(func() { must.Succeed(t, stop()) })
	return s, l, stop
}

// A server that stops under load answers all that it has taken: clients that heed ready see no
// error, and what others have got is what the server says it has answered.
func TestStopUnderLoad(t *testing.T) {
	s, l, stop := running(t, Options{}, Listeners{Notice: 300 * time.Millisecond})
	url := "http://" + l.HTTP.Addr().String() + "/v2/models/price/infer"
	body := rowsJSON(queries(3))
	web := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 16}}
	defer web.CloseIdleConnections()
	_, calls := dial(t, l)
	ask := map[string]func() error{
		"http": func() error {
			r, err := web.Post(url, "application/json", bytes.NewReader(body))
			if err != nil {
				return err
			}
			defer r.Body.Close()
			if r.StatusCode != http.StatusOK {
				return errors.New(r.Status)
			}
			_, err = io.Copy(io.Discard, r.Body)
			return err
		},
		"grpc": func() error {
			_, err := calls.ModelInfer(context.Background(), inferPrice(queries(3), true))
			return err
		},
	}
	answered := map[string]*atomic.Int64{"http": {}, "grpc": {}}
	var heeded atomic.Int64
	var clients sync.WaitGroup
	for i := range 16 {
		protocol, heeds := []string{"http", "grpc"}[i/2%2], i%2 == 0
		clients.Go(func() {
			for !heeds || s.Ready() {
				err := ask[protocol]()
				switch {
				case err == nil:
					answered[protocol].Add(1)
				case heeds:
					t.Errorf("%s: %v", protocol, err)
					return
				default: // the port is closed
					return
				}
				if heeds {
					heeded.Add(1)
				}
			}
		})
	}
	for heeded.Load() < 40 {
		time.Sleep(time.Millisecond)
	}
	must.Succeed(t, stop())
	clients.Wait()
	metrics := string(content(t, send(s.Handler(), "GET", "/metrics", nil)))
	for protocol, n := range answered {
		want := fmt.Sprintf("pfnamp_requests_total{model=\"price\",protocol=%q,status=\"200\"} %d\n",
			protocol, n.Load())
		must.Hold(t, "metrics", metrics, want)
	}
	if s.waiting() != 0 || s.held.Load() != 0 {
		t.Errorf("%d rows and requests wait, %d bytes are held", s.waiting(), s.held.Load())
	}
}

// waiting is the number of rows that wait, and of requests.
func (s *Server) waiting() int {
	n := len(s.running)
	for _, m := range s.models() {
		n += m.batcher.Waiting()
	}
	return n
}

// A request above the limit gets an error, and an answer when there is room again.
func TestOverload(t *testing.T) {
	s := newServer(t, Options{Limits: Limits{Requests: 2}})
	h := s.Handler()
	ask := func() *http.Response {
		return send(h, "POST", "/v2/models/price/infer", rowsJSON(queries(3)))
	}
	s.running <- struct{}{}
	s.running <- struct{}{}
	r := ask()
	if body := content(t, r); r.StatusCode != 429 || r.Header.Get("Retry-After") == "" {
		t.Errorf("%s %s", r.Status, body)
	}
	<-s.running
	<-s.running
	has(t, "room again", ask(), 200)
	s.held.Add(s.limits.Held)
	has(t, "no memory", ask(), 429)
	s.held.Add(-s.limits.Held)
	var wrong atomic.Int64
	var clients sync.WaitGroup
	for range 30 {
		clients.Go(func() {
			if r := ask(); r.StatusCode != 200 && r.StatusCode != 429 {
				wrong.Add(1)
			}
		})
	}
	clients.Wait()
	if r := ask(); r.StatusCode != 200 || wrong.Load() > 0 || s.held.Load() != 0 {
		t.Errorf("%s, %d wrong, %d bytes held", r.Status, wrong.Load(), s.held.Load())
	}
}

// A body that comes too slowly is given up, and its request ends.
func TestSlowBody(t *testing.T) {
	s, l, _ := running(t, Options{Limits: Limits{Transit: 50 * time.Millisecond}}, Listeners{})
	c, err := net.Dial("tcp", l.HTTP.Addr().String())
	must.Succeed(t, err)
	defer c.Close()
	fmt.Fprintf(c, "POST /v2/models/price/infer HTTP/1.1\r\nHost: "+
		"localhost\r\nContent-Length: 99\r\n\r\n{")
	answer, err := io.ReadAll(c)
	if err != nil || !bytes.Contains(answer, []byte("400 Bad Request")) || s.waiting() != 0 {
		t.Errorf("%v %s", err, answer)
	}
}

// A probe tells whether a server is ready, and is not answered by another one's certificate.
func TestProbe(t *testing.T) {
	cert, key, _ := certificate(t)
	own, err := ReadTLS(cert, key)
	must.Succeed(t, err)
	cert, key, _ = certificate(t)
	other, err := ReadTLS(cert, key)
	must.Succeed(t, err)
	for _, with := range []*Certificate{nil, own} {
		l := Listeners{}
		if with != nil {
			l.TLS = with.Config()
		}
		s, l, _ := running(t, Options{}, l)
		address := l.HTTP.Addr().String()
		must.Succeed(t, Probe(t.Context(), address, with))
		if err := Probe(t.Context(), address, other); err == nil {
			t.Error("another certificate, or none, is taken")
		}
		s.ready.Store(false)
		must.Fail(t, "probe", Probe(t.Context(), address, with), "not ready")
	}
}
