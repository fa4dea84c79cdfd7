package serve

import (
	"context"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"sync"

	"golang.org/x/sync/errgroup"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/health"
	healthpb "google.golang.org/grpc/health/grpc_health_v1"
	"google.golang.org/grpc/status"

	"github.com/pfnamp/pfnamp/internal/panics"
	"github.com/pfnamp/pfnamp/serve/internal/oippb"
)

// runGRPC serves gRPC where it is asked for, and returns how to stop it: what is running is
// answered, unless ctx ends before. The connections are those of net/http, so that tokens, requests
// and bytes are counted before a message is in memory, as they are over HTTP.
func (s *Server) runGRPC(serving *errgroup.Group, l Listeners) func(context.Context) error {
	if l.GRPC == nil {
		return func(context.Context) error { return nil }
	}
	ending, end := context.WithCancel(context.Background())
	server, alive := s.grpcServer()
	web := s.web(l, s.calls(ending, server))
	web.Protocols.SetHTTP1(false)
	web.Protocols.SetUnencryptedHTTP2(l.TLS == nil)
	web.HTTP2 = &http.HTTP2Config{MaxConcurrentStreams: s.limits.Requests}
	serving.Go(panics.Job(func() error { return serveOn(web, l.GRPC) }))
	return func(ctx context.Context) error {
		alive.Shutdown()
		end()
		err := web.Shutdown(ctx)
		if err != nil {
			web.Close()
		}
		server.Stop()
		return err
	}
}

// grpcServer makes what answers calls that are let in, and its health.
func (s *Server) grpcServer() (*grpc.Server, *health.Server) {
	server := grpc.NewServer(grpc.UnaryInterceptor(s.unary),
		grpc.MaxRecvMsgSize(int(max(s.limits.Body, s.limits.Expanded))))
	alive := health.NewServer()
	alive.SetServingStatus(oippb.GRPCInferenceService_ServiceDesc.ServiceName,
		healthpb.HealthCheckResponse_SERVING)
	healthpb.RegisterHealthServer(server, alive)
	oippb.RegisterGRPCInferenceServiceServer(server, &protocol{s: s})
	return server, alive
}

// calls lets calls in, counts and logs them. Those about health are always let in, and end with
// ending.
func (s *Server) calls(ending context.Context, server http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if s.openCall(r.URL.Path) {
			ctx, stop := context.WithCancel(r.Context())
			defer stop()
			defer context.AfterFunc(ending, stop)()
			r.Body = http.MaxBytesReader(w, r.Body, 4<<10)
			server.ServeHTTP(w, r.WithContext(ctx))
			return
		}
		sent := &answerWriter{ResponseWriter: w, limit: s.limits.Transit}
		defer sent.patient()
		of := s.newRequest("grpc", sent, r)
		of.status = http.StatusBadRequest // unless it comes as far as unary
		err := panics.Job(func() error { return s.call(sent, r, of, server) })()
		if err != nil {
			refuse(sent, of.fail(err))
		}
		s.end(r.Context(), of)
	})
}

// call lets one call in, reads its message and has it answered.
func (s *Server) call(
	w http.ResponseWriter, r *http.Request, of *request, server http.Handler,
) error {
	if !s.knows(r.Header.Get("Authorization")) {
		return errToken
	}
	leave, err := s.enter()
	if err != nil {
		return err
	}
	defer leave()
	if err := s.message(w, r, of); err != nil {
		return err
	}
	live := &liveCall{of: of, done: make(chan struct{})}
	defer live.wait()
	server.ServeHTTP(w, r.WithContext(context.WithValue(r.Context(), liveKey{}, live)))
	return nil
}

// refuse answers a call with an error.
func refuse(w http.ResponseWriter, f *fault) {
	w.Header().Set("Content-Type", "application/grpc")
	w.Header().Set("Grpc-Status", strconv.Itoa(int(codeOf(f.Status))))
	w.Header().Set("Grpc-Message", url.PathEscape(f.Msg))
	w.WriteHeader(http.StatusOK)
}

// liveKey is the key of the *liveCall of a context.
type liveKey struct{}

// liveCall is a call that is let in. Its handler may go on, or only begin, when the client is gone
// and ServeHTTP has returned: its memory is counted and its request written to until it is done.
type liveCall struct {
	of   *request
	done chan struct{} // closed when the handler is

	mu            sync.Mutex
	started, over bool
}

// start lets the handler begin, unless nobody waits for it any more.
func (r *liveCall) start() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.started = !r.over
	return r.started
}

// wait waits for a handler that has begun, and lets no other one begin.
func (r *liveCall) wait() {
	r.mu.Lock()
	r.over = true
	started := r.started
	r.mu.Unlock()
	if started {
		<-r.done
	}
}

// unary notes what becomes of a call, and turns errors into those of gRPC.
func (s *Server) unary(
	ctx context.Context, in any, info *grpc.UnaryServerInfo, next grpc.UnaryHandler,
) (out any, err error) {
	of := &request{} // about health
	if call, ok := ctx.Value(liveKey{}).(*liveCall); ok {
		if of = call.of; !call.start() {
			return nil, status.Error(codes.Canceled, "request cancelled")
		}
		defer close(call.done)
	}
	of.call, of.status = info.FullMethod, http.StatusOK
	err = panics.Job(func() error {
		out, err = next(ctx, in)
		return err
	})()
	if err == nil {
		return out, nil
	}
	f := of.fail(err)
	return nil, status.Error(codeOf(f.Status), f.Msg)
}

// openCall reports whether a call needs no token: those about health.
func (s *Server) openCall(method string) bool {
	return strings.HasPrefix(method, "/grpc.health.v1.Health/") ||
		method == oippb.GRPCInferenceService_ServerLive_FullMethodName ||
		method == oippb.GRPCInferenceService_ServerReady_FullMethodName
}

// codeOf is the code of gRPC for a status of HTTP.
func codeOf(httpStatus int) codes.Code {
	switch httpStatus {
	case http.StatusNotFound:
		return codes.NotFound
	case http.StatusUnauthorized:
		return codes.Unauthenticated
	case http.StatusTooManyRequests, http.StatusRequestEntityTooLarge:
		return codes.ResourceExhausted
	case http.StatusUnsupportedMediaType:
		return codes.Unimplemented
	case http.StatusServiceUnavailable:
		return codes.Unavailable
	case http.StatusInternalServerError:
		return codes.Internal
	case statusGone:
		return codes.Canceled
	}
	return codes.InvalidArgument
}
