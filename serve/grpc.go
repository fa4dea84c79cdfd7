package serve

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"time"

	"golang.org/x/sync/errgroup"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/credentials"
	_ "google.golang.org/grpc/encoding/gzip" // requests that are compressed
	"google.golang.org/grpc/health"
	healthpb "google.golang.org/grpc/health/grpc_health_v1"
	"google.golang.org/grpc/keepalive"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/status"

	"github.com/pfnamp/pfnamp/internal/panics"
	"github.com/pfnamp/pfnamp/serve/internal/oippb"
)

// runGRPC serves gRPC where it is asked for, and returns how to stop it: what is running is
// answered, unless ctx ends before.
func (s *Server) runGRPC(serving *errgroup.Group, l Listeners) func(context.Context) error {
	if l.GRPC == nil {
		return func(context.Context) error { return nil }
	}
	ending, end := context.WithCancel(context.Background())
	server, alive := s.grpcServer(ending, l)
	serving.Go(panics.Job(func() error {
		return unlessClosed(server.Serve(s.quietListener(l.GRPC)))
	}))
	return func(ctx context.Context) error {
		alive.Shutdown()
		end()
		done := make(chan error, 1)
		go func() { done <- panics.Job(func() error { server.GracefulStop(); return nil })() }()
		select {
		case err := <-done:
			return err
		case <-ctx.Done():
			server.Stop()
			return errors.Join(ctx.Err(), <-done)
		}
	}
}

// grpcServer makes the gRPC server and its health. Streams, which only health has, end with ending.
func (s *Server) grpcServer(ending context.Context, l Listeners) (*grpc.Server, *health.Server) {
	options := []grpc.ServerOption{
		grpc.MaxRecvMsgSize(int(s.limits.Body)), grpc.MaxConcurrentStreams(uint32(s.limits.Requests)),
		grpc.ConnectionTimeout(s.limits.Header), grpc.MaxHeaderListSize(64 << 10),
		grpc.KeepaliveParams(keepalive.ServerParameters{MaxConnectionIdle: s.limits.Idle}),
		grpc.UnaryInterceptor(s.unary),
		grpc.StreamInterceptor(func(srv any, in grpc.ServerStream, _ *grpc.StreamServerInfo,
			next grpc.StreamHandler) error {
			ctx, stop := context.WithCancel(in.Context())
			defer stop()
			defer context.AfterFunc(ending, stop)()
			return panics.Job(func() error { return next(srv, endingStream{in, ctx}) })()
		}),
	}
	if l.TLS != nil {
		options = append(options, grpc.Creds(credentials.NewTLS(l.TLS)))
	}
	server, alive := grpc.NewServer(options...), health.NewServer()
	alive.SetServingStatus(oippb.GRPCInferenceService_ServiceDesc.ServiceName,
		healthpb.HealthCheckResponse_SERVING)
	healthpb.RegisterHealthServer(server, alive)
	oippb.RegisterGRPCInferenceServiceServer(server, &protocol{s: s})
	return server, alive
}

// endingStream is a stream with a context of its own.
type endingStream struct {
	grpc.ServerStream
	ctx context.Context
}

// Context implements grpc.ServerStream.
func (e endingStream) Context() context.Context { return e.ctx }

// requestKey is the key of the *request of a context.
type requestKey struct{}

// unary admits, counts and logs a call, and turns errors into those of gRPC.
func (s *Server) unary(
	ctx context.Context, in any, info *grpc.UnaryServerInfo, next grpc.UnaryHandler,
) (out any, err error) {
	of := &request{protocol: "grpc", call: info.FullMethod, start: time.Now(), status: http.StatusOK}
	err = panics.Job(func() error {
		if !s.openCall(info.FullMethod) && !s.sentToken(ctx) {
			return errToken
		}
		leave, err := s.enter()
		if err != nil {
			return err
		}
		defer leave()
		out, err = next(context.WithValue(ctx, requestKey{}, of), in)
		return err
	})()
	if err != nil {
		f := told(err)
		if of.status = f.status; f.status == http.StatusInternalServerError {
			of.inside = err
		}
		out, err = nil, status.Error(codeOf(f.status), f.msg)
	}
	if !s.openCall(info.FullMethod) || of.inside != nil {
		s.record(ctx, *of)
	}
	return out, err
}

// openCall reports whether a call needs no token: those about health.
func (s *Server) openCall(method string) bool {
	return strings.HasPrefix(method, "/grpc.health.v1.Health/") ||
		method == oippb.GRPCInferenceService_ServerLive_FullMethodName ||
		method == oippb.GRPCInferenceService_ServerReady_FullMethodName
}

// sentToken reports whether the metadata of a call have a token.
func (s *Server) sentToken(ctx context.Context) bool {
	sent := metadata.ValueFromIncomingContext(ctx, "authorization")
	return s.knows(strings.Join(sent, ","))
}

// codeOf is the code of gRPC for a status of HTTP.
func codeOf(httpStatus int) codes.Code {
	switch httpStatus {
	case http.StatusNotFound:
		return codes.NotFound
	case http.StatusUnauthorized:
		return codes.Unauthenticated
	case http.StatusTooManyRequests:
		return codes.ResourceExhausted
	case http.StatusServiceUnavailable:
		return codes.Unavailable
	case http.StatusInternalServerError:
		return codes.Internal
	case gone:
		return codes.Canceled
	}
	return codes.InvalidArgument
}
