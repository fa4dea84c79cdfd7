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

	"github.com/pfnamp/pfnamp/batching"
	"github.com/pfnamp/pfnamp/internal/must"
	"github.com/pfnamp/pfnamp/pfn"
	"github.com/pfnamp/pfnamp/serve/internal/oip"
	"github.com/pfnamp/pfnamp/tabular"
)

// Every error has its status and its class; a full queue (429) may be asked
// again, a server that shuts down (503) may not.
func TestStatusOfErrors(t *testing.T) {
	for _, c := range []struct {
		err    error
		status int
		class  string
	}{
		{batching.ErrQueueFull, 429, "queue"},
		{batching.ErrClosed, 503, "stopping"},
		{net.ErrClosed, 503, "stopping"},
		{os.ErrDeadlineExceeded, 400, "slow"},
		{&oip.Error{Msg: "m"}, 400, "tensor"},
		{&http.MaxBytesError{Limit: 8}, 413, "size"},
		{&tabular.Error{Limit: true}, 413, "table"},
		{&tabular.Error{Column: "a", Row: 2}, 400, "cell"},
		{&tabular.Error{Column: "a"}, 400, "column"},
		{&tabular.Error{Msg: "m"}, 400, "table"},
		{&pfn.LimitError{Got: 1, Min: 2}, 400, "limit"},
		{&pfn.LimitError{Got: 9, Max: 8}, 413, "limit"},
		{&pfn.MemoryError{}, 413, "memory"},
		{&pfn.InputError{}, 400, "cell"},
		{context.Canceled, statusGone, "cancelled"},
		{context.DeadlineExceeded, statusGone, "cancelled"},
		{errors.New("secret"), 500, "internal"},
		{faultf(404, "m"), 404, "path"},
		{faultf(401, "m"), 401, "token"},
		{faultf(415, "m"), 415, "media"},
	} {
		f := told(fmt.Errorf("while asking: %w", c.err))
		if f.Status != c.status || f.Class != c.class {
			t.Errorf("%T %v: %d %s, want %d %s", c.err, c.err, f.Status, f.Class, c.status, c.class)
		}
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
	for _, says := range []string{"level=WARN", "another bundle, target or columns", "name=price",
		`before="[feature built BYTES feature lift BOOL feature town BYTES output 4 p>100 `,
		`now="[output 4 pi_lo output 5 pi_hi]"`} {
		if !strings.Contains(log.String(), says) {
			t.Errorf("the log lacks %q:\n%s", says, &log)
		}
	}
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
	if !strings.Contains(log.String(), want) {
		t.Errorf("the log lacks %q:\n%s", want, &log)
	}
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
