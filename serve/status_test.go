package serve

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"slices"
	"strings"
	"testing"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/pfnamp/pfnamp/batching"
	"github.com/pfnamp/pfnamp/internal/must"
	"github.com/pfnamp/pfnamp/pfn"
	"github.com/pfnamp/pfnamp/serve/internal/oip"
	"github.com/pfnamp/pfnamp/tabular"
)

// Every error has its status, of HTTP and of gRPC, and its class; a full queue (429) may be asked
// again, a server that shuts down (503) may not.
func TestStatusOfErrors(t *testing.T) {
	for _, c := range []struct {
		err    error
		status int
		code   codes.Code
		class  string
	}{
		{batching.ErrQueueFull, 429, codes.ResourceExhausted, "queue"},
		{batching.ErrClosed, 503, codes.Unavailable, "stopping"},
		{net.ErrClosed, 503, codes.Unavailable, "stopping"},
		{os.ErrDeadlineExceeded, 400, codes.InvalidArgument, "slow"},
		{&oip.Error{Msg: "m"}, 400, codes.InvalidArgument, "tensor"},
		{&http.MaxBytesError{Limit: 8}, 413, codes.ResourceExhausted, "size"},
		{&tabular.Error{Limit: true}, 413, codes.ResourceExhausted, "table"},
		{&tabular.Error{Column: "a", Row: 2}, 400, codes.InvalidArgument, "cell"},
		{&tabular.Error{Column: "a"}, 400, codes.InvalidArgument, "column"},
		{&tabular.Error{Msg: "m"}, 400, codes.InvalidArgument, "table"},
		{&pfn.LimitError{Got: 1, Min: 2}, 400, codes.InvalidArgument, "limit"},
		{&pfn.LimitError{Got: 9, Max: 8}, 413, codes.ResourceExhausted, "limit"},
		{&pfn.MemoryError{}, 413, codes.ResourceExhausted, "memory"},
		{&pfn.InputError{}, 400, codes.InvalidArgument, "cell"},
		{context.Canceled, statusGone, codes.Canceled, "cancelled"},
		{context.DeadlineExceeded, statusGone, codes.Canceled, "cancelled"},
		{errors.New("secret"), 500, codes.Internal, "internal"},
		{faultf(404, "m"), 404, codes.NotFound, "path"},
		{faultf(401, "m"), 401, codes.Unauthenticated, "token"},
		{faultf(415, "m"), 415, codes.Unimplemented, "media"},
	} {
		f := told(fmt.Errorf("while asking: %w", c.err))
		if f.Status != c.status || kinds[f.Status].code != c.code || f.Class != c.class {
			t.Errorf("%T %v: %d %v %s, want %d %v %s", c.err, c.err, f.Status, kinds[f.Status].code,
				f.Class, c.status, c.code, c.class)
		}
	}
	if err := ofGRPC(faultf(http.StatusTeapot, "m")); status.Code(err) != codes.Unknown {
		t.Errorf("a status that has no code is %v", err)
	}
}

// A model of the same name and version with another predictor replaces the one before, and a
// warning tells what clients lose; with the same predictor it does not.
func TestReplaceUnderTheSameVersion(t *testing.T) {
	all := fixed(t)
	var log strings.Builder
	s, err := New(all[:1], Options{Log: slog.New(slog.NewTextHandler(&log, nil))})
	must.Succeed(t, err)
	defer s.Close()
	first, other := s.models()[0], all[0]
	other.Predictor = all[2].Predictor
	for _, next := range []Model{all[0], other} {
		must.Succeed(t, s.Replace([]Model{next}))
		got := s.models()[0]
		if got.Predictor != next.Predictor || (got == first) != (next.Predictor == all[0].Predictor) {
			t.Errorf("the predictor of version %s is not the one that was loaded last", got.Version)
		}
	}
	must.Hold(t, "log", log.String(), "level=WARN", "another bundle, target or columns", "name=price",
		`before="[feature built BYTES feature lift BOOL feature town BYTES output 4 p>100 `,
		`now="[output 4 pi_lo output 5 pi_hi]"`)
	before := log.Len()
	same, moved := *first, *first // in another order: features have names, outputs positions too
	features, outputs := *first.schema, slices.Clone(first.outputs)
	features.Columns = slices.Clone(features.Columns)
	slices.Reverse(features.Columns)
	outputs[0], outputs[1] = outputs[1], outputs[0]
	same.schema, moved.outputs = &features, outputs
	if s.noteChange(&same, []*model{first}); log.Len() > before {
		t.Errorf("the order of the features is noted: %s", log.String()[before:])
	}
	s.noteChange(&moved, []*model{first})
	want := fmt.Sprintf(`now="[output 1 %s output 2 %s]"`, outputs[0].Name, outputs[1].Name)
	must.Hold(t, "log", log.String(), want)
	s.ReloadFailed("no state", errors.New("cut"))
	for name, n := range map[string]float64{"pfnamp_models_changed_total": 2,
		"pfnamp_reloads_failed_total": 1} {
		if values, _ := metricsOf(t, s); values[name] != n {
			t.Errorf("%s is %v, want %v", name, values[name], n)
		}
	}
}

// An error is whole before the rest of the body comes, also for a proxy that stops sending then.
func TestErrorBeforeTheBody(t *testing.T) {
	server := httptest.NewServer(newServer(t, Options{}).Handler())
	defer server.Close()
	body, sent := io.Pipe()
	defer sent.Close()
	r, err := http.Post(server.URL+"/v2/models/none/infer", "application/json", body)
	must.Succeed(t, err)
	defer r.Body.Close()
	text, err := io.ReadAll(r.Body)
	if err != nil || r.ContentLength != int64(len(text)) || !strings.Contains(string(text), "none") {
		t.Errorf("%s with %d bytes: %q, %v", r.Status, r.ContentLength, text, err)
	}
}
