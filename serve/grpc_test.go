package serve

import (
	"context"
	"encoding/binary"
	"log/slog"
	"math"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/encoding/gzip"
	healthpb "google.golang.org/grpc/health/grpc_health_v1"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/status"

	"github.com/apache/arrow-go/v18/arrow/array"

	"github.com/pfnamp/pfnamp/internal/must"
	"github.com/pfnamp/pfnamp/serve/internal/oippb"
)

// dial connects to the gRPC port.
func dial(t testing.TB, l Listeners) (*grpc.ClientConn, oippb.GRPCInferenceServiceClient) {
	t.Helper()
	c, err := grpc.NewClient(l.GRPC.Addr().String(),
		grpc.WithTransportCredentials(insecure.NewCredentials()))
	must.Succeed(t, err)
	t.Cleanup(func() { c.Close() })
	return c, oippb.NewGRPCInferenceServiceClient(c)
}

// inferPrice asks for rows, in binary or in contents. The missing number of rooms is NaN.
func inferPrice(rows []map[string]any, raw bool) *oippb.ModelInferRequest {
	in := &oippb.ModelInferRequest{ModelName: "price", Id: "7"}
	for _, name := range []string{"area", "rooms", "town", "lift", "built"} {
		c, data, datatype := &oippb.InferTensorContents{}, []byte(nil), "FP64"
		for _, row := range rows {
			number, text := math.NaN(), ""
			switch v := row[name].(type) {
			case float64:
				number = v
			case int:
				number = float64(v)
			case string:
				text = v
			case bool:
				text = strconv.FormatBool(v)
			case time.Time:
				text = v.Format(time.DateOnly)
			}
			if name == "area" || name == "rooms" {
				c.Fp64Contents = append(c.Fp64Contents, number)
				data = binary.LittleEndian.AppendUint64(data, math.Float64bits(number))
				continue
			}
			datatype = "BYTES"
			c.BytesContents = append(c.BytesContents, []byte(text))
			data = append(binary.LittleEndian.AppendUint32(data, uint32(len(text))), text...)
		}
		input := &oippb.ModelInferRequest_InferInputTensor{Name: name, Datatype: datatype,
			Shape: []int64{int64(len(rows))}}
		if raw {
			in.RawInputContents = append(in.RawInputContents, data)
		} else {
			input.Contents = c
		}
		in.Inputs = append(in.Inputs, input)
	}
	return in
}

// Calls get the bits of predict, in binary and in contents, compressed or not.
func TestGRPCInfer(t *testing.T) {
	_, l, _ := running(t, Options{Version: "v1"}, Listeners{})
	_, client := dial(t, l)
	rows := queries(20)
	want := expected(t, "price", rows)
	for _, raw := range []bool{false, true} {
		out, err := client.ModelInfer(t.Context(), inferPrice(rows, raw), grpc.UseCompressor(gzip.Name))
		must.Succeed(t, err)
		if out.Id != "7" || out.ModelVersion != "0a1b" || len(out.Outputs) != int(want.NumCols()) ||
			!strings.Contains(out.Parameters["warnings"].GetStringParam(), "town") {
			t.Errorf("%v", out)
		}
		for i, data := range out.RawOutputContents {
			floats := make([]float64, len(rows))
			for k := range floats {
				floats[k] = math.Float64frombits(binary.LittleEndian.Uint64(data[8*k:]))
			}
			sameFloats(t, out.Outputs[i].Name, floats, want.Column(i))
		}
	}
	in := inferPrice(rows, true)
	in.ModelName, in.Outputs = "kind",
		[]*oippb.ModelInferRequest_InferRequestedOutputTensor{{Name: "class"}}
	out, err := client.ModelInfer(t.Context(), in)
	must.Succeed(t, err)
	data := out.RawOutputContents[0]
	for i, class := range textsOf(expected(t, "kind", rows).Column(0).(*array.String)) {
		n := binary.LittleEndian.Uint32(data)
		if got := string(data[4 : 4+n]); got != class {
			t.Errorf("row %d: %s, want %s", i, got, class)
		}
		data = data[4+n:]
	}
}

// Calls whose client goes away leave nothing behind, and what they held is counted until they are
// done.
func TestGRPCCancelled(t *testing.T) {
	s, l, _ := running(t, Options{}, Listeners{})
	_, client := dial(t, l)
	in := inferPrice(queries(20), true)
	for i := range 60 {
		ctx, cancel := context.WithTimeout(t.Context(), time.Duration(i)*50*time.Microsecond)
		client.ModelInfer(ctx, in) // the race detector looks at what it leaves
		cancel()
	}
	for len(s.running) > 0 || s.held.Load() > 0 {
		time.Sleep(time.Millisecond)
	}
	_, err := client.ModelInfer(t.Context(), in)
	must.Succeed(t, err)
}

// Metadata and both kinds of health tell what they do over HTTP; watching health ends with the
// server.
func TestGRPCAbout(t *testing.T) {
	_, l, stop := running(t, Options{Version: "v1", Tokens: []string{token}}, Listeners{})
	conn, client := dial(t, l)
	if live, err := client.ServerLive(t.Context(), &oippb.ServerLiveRequest{}); err != nil ||
		!live.Live {
		t.Error(err)
	}
	if ready, err := client.ServerReady(t.Context(), &oippb.ServerReadyRequest{}); err != nil ||
		!ready.Ready {
		t.Error(err)
	}
	ctx := metadata.AppendToOutgoingContext(t.Context(), "authorization", "Bearer "+token)
	about, err := client.ServerMetadata(ctx, &oippb.ServerMetadataRequest{})
	if err != nil || about.Name != "pfnamp" || about.Version != "v1" {
		t.Errorf("%v %v", about, err)
	}
	m, err := client.ModelMetadata(ctx, &oippb.ModelMetadataRequest{Name: "price"})
	if err != nil || len(m.Inputs) != 5 || m.Inputs[0].Datatype != "FP64" ||
		m.Outputs[1].Name != "mean_lo" {
		t.Errorf("%v %v", m, err)
	}
	if r, err := client.ModelReady(ctx, &oippb.ModelReadyRequest{Name: "kind"}); err != nil ||
		!r.Ready {
		t.Error(err)
	}
	watch, err := healthpb.NewHealthClient(conn).Watch(t.Context(), &healthpb.HealthCheckRequest{})
	must.Succeed(t, err)
	if now, err := watch.Recv(); err != nil || now.Status != healthpb.HealthCheckResponse_SERVING {
		t.Errorf("%v %v", now, err)
	}
	if err := stop(); err != nil {
		t.Errorf("stopping: %v", err)
	}
	for err == nil {
		_, err = watch.Recv()
	}
}

// What is wrong has its code.
func TestGRPCRefuses(t *testing.T) {
	s, l, _ := running(t, Options{Tokens: []string{token}, Limits: Limits{Requests: 3, Body: 50_000}},
		Listeners{})
	conn, client := dial(t, l)
	changed := func(change func(*oippb.ModelInferRequest)) *oippb.ModelInferRequest {
		in := inferPrice(queries(2), false)
		change(in)
		return in
	}
	known := metadata.AppendToOutgoingContext(t.Context(), "authorization", "Bearer "+token)
	wrong := metadata.AppendToOutgoingContext(t.Context(), "authorization", "Bearer wrong-token-of-16")
	for name, c := range map[string]struct {
		ctx  context.Context
		in   *oippb.ModelInferRequest
		code codes.Code
	}{
		"good":        {known, inferPrice(queries(2), false), codes.OK},
		"no token":    {t.Context(), inferPrice(queries(2), false), codes.Unauthenticated},
		"other token": {wrong, inferPrice(queries(2), false), codes.Unauthenticated},
		"no model": {known, changed(func(in *oippb.ModelInferRequest) {
			in.ModelName = "none"
		}), codes.NotFound},
		"no version": {known, changed(func(in *oippb.ModelInferRequest) {
			in.ModelVersion = "9"
		}), codes.NotFound},
		"range": {known, changed(func(in *oippb.ModelInferRequest) {
			in.Inputs[1].Datatype, in.Inputs[1].Contents = "INT8",
				&oippb.InferTensorContents{IntContents: []int32{300, 1}}
		}), codes.InvalidArgument},
		"no contents": {known, changed(func(in *oippb.ModelInferRequest) {
			in.Inputs[0].Contents = nil
		}), codes.InvalidArgument},
		"raw count": {known, changed(func(in *oippb.ModelInferRequest) {
			in.RawInputContents = [][]byte{{}}
		}), codes.InvalidArgument},
		"contents of another datatype": {known, changed(func(in *oippb.ModelInferRequest) {
			in.Inputs[0].Datatype = "BOOL"
		}), codes.InvalidArgument},
		"large": {known, inferPrice(queries(2000), false), codes.ResourceExhausted},
	} {
		if _, err := client.ModelInfer(c.ctx, c.in); status.Code(err) != c.code {
			t.Errorf("%s: %v, want %v", name, err, c.code)
		}
	}
	for range 3 {
		s.running <- struct{}{}
	}
	if _, err := client.ModelInfer(known,
		inferPrice(queries(2), true)); status.Code(err) != codes.ResourceExhausted {
		t.Errorf("overload: %v", err)
	}
	if _, err := healthpb.NewHealthClient(conn).Check(t.Context(),
		&healthpb.HealthCheckRequest{}); err != nil {
		t.Errorf("health under overload: %v", err)
	}
	for range 3 {
		<-s.running
	}
	s.held.Add(s.limits.Held)
	if _, err := client.ModelInfer(known,
		inferPrice(queries(2), true)); status.Code(err) != codes.ResourceExhausted {
		t.Errorf("no memory: %v", err)
	}
	s.held.Add(-s.limits.Held)
}

// Calls that no handler sees are logged too, and what a client calls them is not.
func TestGRPCLog(t *testing.T) {
	var log lines
	_, l, _ := running(t, Options{Tokens: []string{token}, Limits: Limits{Body: 50_000},
		Log: slog.New(slog.NewJSONHandler(&log, nil))}, Listeners{})
	conn, client := dial(t, l)
	known := metadata.AppendToOutgoingContext(t.Context(), "authorization", "Bearer "+token)
	in := &oippb.ServerReadyRequest{}
	for _, c := range []struct {
		name string
		call func() error
		says string
	}{
		{"large", func() error {
			_, err := client.ModelInfer(known, inferPrice(queries(2000), false))
			return err
		}, `"call":"other","status":400`},
		{"unknown", func() error { return conn.Invoke(known, "/a/health/b", in, in) },
			`"call":"other","status":400`},
		{"no token", func() error { return conn.Invoke(t.Context(), "/a/health/b", in, in) },
			`"call":"other","status":401`},
		{"answered", func() error {
			_, err := client.ModelInfer(known, inferPrice(queries(2), true))
			return err
		}, `"call":"/inference.GRPCInferenceService/ModelInfer","status":200`},
	} {
		log.take()
		if err := c.call(); (err == nil) != (c.name == "answered") {
			t.Errorf("%s: %v", c.name, err)
		}
		text := ""
		for begin := time.Now(); text == "" && time.Since(begin) < 10*time.Second; {
			time.Sleep(time.Millisecond) // a stream ends after its client
			text = log.take()
		}
		if !strings.Contains(text, c.says) || strings.Count(text, "\n") != 1 {
			t.Errorf("%s: %s", c.name, text)
		}
	}
}

// lines is a log that several goroutines write.
type lines struct {
	mu   sync.Mutex
	text strings.Builder
}

func (l *lines) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(p)
}

// take empties the log.
func (l *lines) take() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	defer l.text.Reset()
	return l.text.String()
}
