package serve

import (
	"cmp"
	"context"
	"crypto/tls"
	"errors"
	"log/slog"
	"net"
	"net/http"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/pfnamp/pfnamp/internal/panics"
)

// Listeners are the addresses of a server and the times of its shutdown.
type Listeners struct {
	HTTP net.Listener
	GRPC net.Listener // nil for none
	TLS  *tls.Config  // nil for no encryption
	// Notice is how long the server still takes requests after it stops being ready, so that load
	// balancers can react. In this time it closes each connection after its answer.
	Notice time.Duration
	// Grace is how long running requests may take after Notice; 0 means 30 s.
	Grace time.Duration
}

// Close closes the listeners that are open.
func (l Listeners) Close() error {
	var errs []error
	for _, listener := range []net.Listener{l.HTTP, l.GRPC} {
		if listener != nil {
			errs = append(errs, listener.Close())
		}
	}
	return errors.Join(errs...)
}

// Run serves until ctx ends and then shuts down. First the server stops being ready; after Notice
// it takes no connection; it returns when all running requests are answered, at the latest after
// Grace. Errors are errors of the listeners, and context.DeadlineExceeded if Grace was too short.
// The server is closed when Run returns.
func (s *Server) Run(ctx context.Context, l Listeners) error {
	l.Grace = cmp.Or(l.Grace, 30*time.Second)
	serving, failed := errgroup.WithContext(context.WithoutCancel(ctx))
	web := s.web(l, s.Handler())
	serving.Go(panics.Job(func() error { return serveOn(web, l.HTTP) }))
	stopGRPC := s.runGRPC(serving, l)
	select {
	case <-ctx.Done():
	case <-failed.Done():
	}
	s.log.LogAttrs(ctx, slog.LevelInfo, "stopping", seconds("notice_seconds", l.Notice),
		seconds("grace_seconds", l.Grace))
	s.ready.Store(false)
	if failed.Err() == nil {
		time.Sleep(l.Notice)
	}
	ending, stop := context.WithTimeout(context.WithoutCancel(ctx), l.Grace)
	defer stop()
	err := errors.Join(web.Shutdown(ending), stopGRPC(ending))
	if err != nil {
		web.Close()
	}
	err = errors.Join(err, serving.Wait())
	s.Close()
	s.log.Info("stopped")
	return err
}

// web is an HTTP server with the limits on connections.
func (s *Server) web(l Listeners, handler http.Handler) *http.Server {
	web := &http.Server{
		ReadHeaderTimeout: s.limits.Header, IdleTimeout: s.limits.Idle, MaxHeaderBytes: 64 << 10,
		ErrorLog: slog.NewLogLogger(s.log.Handler(), slog.LevelDebug),
		Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if !s.Ready() && r.ProtoMajor == 1 {
				w.Header().Set("Connection", "close")
			}
			handler.ServeHTTP(w, r)
		}),
	}
	web.Protocols = new(http.Protocols)
	web.Protocols.SetHTTP1(true)
	if l.TLS != nil {
		web.Protocols.SetHTTP2(true)
		web.TLSConfig = l.TLS.Clone()
	}
	return web
}

// serveOn serves until the server is stopped, which is no error.
func serveOn(web *http.Server, l net.Listener) error {
	serve := web.Serve
	if web.TLSConfig != nil {
		serve = func(l net.Listener) error { return web.ServeTLS(l, "", "") }
	}
	err := serve(l)
	if errors.Is(err, http.ErrServerClosed) || errors.Is(err, net.ErrClosed) {
		return nil
	}
	return err
}
