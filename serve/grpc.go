package serve

import (
	"cmp"
	"context"
	"net/http"
	"strings"

	"golang.org/x/sync/errgroup"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/credentials"
	_ "google.golang.org/grpc/encoding/gzip" // of messages
	"google.golang.org/grpc/health"
	healthpb "google.golang.org/grpc/health/grpc_health_v1"
	"google.golang.org/grpc/keepalive"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/peer"
	"google.golang.org/grpc/status"
	"google.golang.org/grpc/tap"
	"google.golang.org/protobuf/proto"

	"github.com/pfnamp/pfnamp/internal/panics"
	"github.com/pfnamp/pfnamp/serve/internal/oippb"
)

// runGRPC serves gRPC if there is a listener for it, and returns a function that stops it: the
// function waits for running calls until its context ends.
func (s *Server) runGRPC(serving *errgroup.Group, l Listeners) func(context.Context) error {
	if l.GRPC == nil {
		return func(context.Context) error { return nil }
	}
	ending, end := context.WithCancel(context.Background())
	options := []grpc.ServerOption{grpc.InTapHandle(s.admit), grpc.UnaryInterceptor(s.unary),
		grpc.StreamInterceptor(untilEnd(ending)), grpc.MaxRecvMsgSize(int(s.limits.Body)),
		grpc.MaxConcurrentStreams(uint32(s.limits.Requests)), grpc.ConnectionTimeout(s.limits.Header),
		grpc.KeepaliveParams(keepalive.ServerParameters{MaxConnectionIdle: s.limits.Idle})}
	if l.TLS != nil {
		options = append(options, grpc.Creds(credentials.NewTLS(l.TLS.Clone())))
	}
	server, alive := grpc.NewServer(options...), health.NewServer()
	alive.SetServingStatus(oippb.GRPCInferenceService_ServiceDesc.ServiceName,
		healthpb.HealthCheckResponse_SERVING)
	healthpb.RegisterHealthServer(server, alive)
	oippb.RegisterGRPCInferenceServiceServer(server, &protocol{s: s})
	serving.Go(panics.Job(func() error { return server.Serve(l.GRPC) }))
	return func(ctx context.Context) error {
		alive.Shutdown()
		end()
		stopped := make(chan error, 1)
		go func() { stopped <- panics.Job(func() error { server.GracefulStop(); return nil })() }()
		select {
		case err := <-stopped:
			return err
		case <-ctx.Done():
			server.Stop()
			return ctx.Err()
		}
	}
}

// admit begins a call, before its message is read. A call without a valid token ends here, unless
// it asks for health. A call whose message cannot be read ends with its stream.
func (s *Server) admit(ctx context.Context, call *tap.Info) (context.Context, error) {
	if openCall(call.FullMethodName) {
		return ctx, nil
	}
	client := ""
	if from, ok := peer.FromContext(ctx); ok {
		client = from.Addr.String()
	}
	header := func(name string) string { return strings.Join(call.Header.Get(name), ",") }
	of := s.newRequest("grpc", client, header)
	if !s.knows(header("authorization")) {
		err := ofGRPC(of.fail(errToken))
		s.end(ctx, of)
		return nil, err
	}
	of.begin = context.AfterFunc(ctx, func() {
		of.status = http.StatusBadRequest
		s.end(ctx, of)
	})
	return context.WithValue(ctx, requestKey{}, of), nil
}

// unary answers a call within the limits, counts it and logs it. Calls about health are always
// answered.
func (s *Server) unary(
	ctx context.Context, in any, info *grpc.UnaryServerInfo, next grpc.UnaryHandler,
) (out any, err error) {
	if openCall(info.FullMethod) {
		return next(ctx, in)
	}
	of := requestOf(ctx)
	if !of.begin() {
		return nil, status.Error(codes.Canceled, "request cancelled")
	}
	defer func() { s.end(ctx, of) }()
	of.call = info.FullMethod                                // known: no other call comes here
	_ = grpc.SetHeader(ctx, metadata.Pairs(idHeader, of.id)) // nothing is sent yet
	err = panics.Job(func() error {
		leave, err := s.enter()
		if err != nil {
			return err
		}
		defer leave()
		if message, ok := in.(proto.Message); ok {
			err = of.held.take(4 * int64(proto.Size(message))) // numbers are wider than they are sent
		}
		if err == nil {
			out, err = next(ctx, in)
		}
		return err
	})()
	if err != nil {
		return nil, ofGRPC(of.fail(err))
	}
	of.status = http.StatusOK
	return out, nil
}

func ofGRPC(f *fault) error {
	return status.Error(cmp.Or(kinds[f.Status].code, codes.Unknown), f.Msg)
}

// untilEnd ends the streams, which all watch health, when the server stops.
func untilEnd(ending context.Context) grpc.StreamServerInterceptor {
	return func(server any, stream grpc.ServerStream, _ *grpc.StreamServerInfo,
		next grpc.StreamHandler) error {
		ctx, stop := context.WithCancel(stream.Context())
		defer stop()
		defer context.AfterFunc(ending, stop)()
		return next(server, &endingStream{stream, ctx})
	}
}

// endingStream is a stream with another context.
type endingStream struct {
	grpc.ServerStream
	ctx context.Context
}

func (e *endingStream) Context() context.Context { return e.ctx }

// openCall reports whether a call asks for health, which needs no token.
func openCall(method string) bool {
	return strings.HasPrefix(method, "/grpc.health.v1.Health/") ||
		method == oippb.GRPCInferenceService_ServerLive_FullMethodName ||
		method == oippb.GRPCInferenceService_ServerReady_FullMethodName
}
