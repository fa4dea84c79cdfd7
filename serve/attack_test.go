package serve

import (
	"bytes"
	"compress/gzip"
	"context"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http/httptest"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/pfnamp/pfnamp/internal/must"
	"github.com/pfnamp/pfnamp/tabular"
)

// packed is a text in gzip.
func packed(t testing.TB, text []byte) []byte {
	t.Helper()
	var buffer bytes.Buffer
	w := gzip.NewWriter(&buffer)
	w.Write(text)
	must.Succeed(t, w.Close())
	return buffer.Bytes()
}

// Four bodies that expand to 64 MiB each are refused, whatever they hold, and take less than twice
// the limit of memory together; nothing of them is counted afterwards.
func TestExpandingBodies(t *testing.T) {
	numbers := `{"inputs":[{"name":"x","datatype":"FP64","shape":[40000000],"data":[` +
		strings.Repeat("1,", 32<<20-100) + "1]}]}"
	body := packed(t, []byte(numbers))
	numbers = ""
	const held = 64 << 20
	defer debug.SetGCPercent(debug.SetGCPercent(20)) // the heap holds little that is free
	s := newServer(t, Options{Limits: Limits{Expanded: 16 << 20, Held: held}})
	h := s.Handler()
	runtime.GC()
	var before, now runtime.MemStats
	runtime.ReadMemStats(&before)
	stop, watched := make(chan bool), make(chan uint64)
	go func() {
		peak := uint64(0)
		for {
			select {
			case <-stop:
				watched <- peak
				return
			case <-time.After(time.Millisecond):
				runtime.ReadMemStats(&now)
				peak = max(peak, now.HeapAlloc)
			}
		}
	}()
	var clients sync.WaitGroup
	for range 4 {
		clients.Go(func() {
			r := send(h, "POST", "/v2/models/numbers/infer", body, "Content-Encoding", "gzip")
			if r.StatusCode != 413 && r.StatusCode != 429 {
				t.Errorf("%s", r.Status)
			}
		})
	}
	clients.Wait()
	close(stop)
	if peak := int64(<-watched) - int64(before.HeapAlloc); peak > 2*held {
		t.Errorf("%d MB are taken by four bodies of %d kB", peak/1e6, len(body)/1e3)
	}
	if s.held.Load() != 0 {
		t.Errorf("%d bytes are held", s.held.Load())
	}
}

// What a request makes of its body counts: many small inputs, a request larger than all memory, and
// one beside others.
func TestHeldMemory(t *testing.T) {
	s := newServer(t, Options{Limits: Limits{Held: 1 << 20}})
	h := s.Handler()
	for name, c := range map[string]struct {
		body   string
		status int
	}{
		"inputs": {`{"inputs":[` + strings.Repeat("{},", 10000) + "{}]}", 413},
		"body":   {strings.Repeat(" ", 2<<20), 413},
		"array":  {`{"inputs":[{"name":"x","datatype":"FP64","shape":[200000],"data":[]}]}`, 413},
		"shape": {`{"inputs":[{"name":"x","datatype":"FP64","shape":[1,1,1,1,1,1,1,1,1],"data":[]}]}`,
			400},
		"small": {`{"inputs":[{"name":"x","datatype":"FP64","shape":[1,2],"data":[50,3]}]}`, 200},
	} {
		has(t, name, send(h, "POST", "/v2/models/numbers/infer", []byte(c.body)), c.status)
		if s.held.Load() != 0 {
			t.Errorf("%s: %d bytes are held", name, s.held.Load())
		}
	}
}

// pipes is a listener whose connections have no buffer: what is not read is not sent.
type pipes struct {
	accept chan net.Conn
	once   sync.Once
}

func (p *pipes) Accept() (net.Conn, error) {
	if c, ok := <-p.accept; ok {
		return c, nil
	}
	return nil, net.ErrClosed
}

func (p *pipes) Close() error {
	p.once.Do(func() { close(p.accept) })
	return nil
}

func (p *pipes) Addr() net.Addr { return &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1)} }

// A client that sends a question and never reads the answer does not keep its place.
func TestClientThatNeverReads(t *testing.T) {
	for name, request := range map[string]string{
		"list":  "GET /v2/models/price HTTP/1.1\r\nHost: localhost\r\n\r\n",
		"error": "GET /nothing HTTP/1.1\r\nHost: localhost\r\n\r\n",
		"table": "POST /v2/models/price/table HTTP/1.1\r\nHost: localhost\r\nContent-Type: text/csv\r\n" +
			"Content-Length: 58\r\n\r\narea,rooms,town,lift,built\n50,2,Bath,true,2001-01-01\n12345",
	} {
		s := newServer(t, Options{Limits: Limits{Transit: 50 * time.Millisecond}})
		l := &pipes{accept: make(chan net.Conn)}
		web := s.web(Listeners{}, s.Handler())
		done := make(chan error, 1)
		go func() { done <- web.Serve(l) }()
		here, there := net.Pipe()
		l.accept <- there
		go io.WriteString(here, request)
		deadline := time.Now().Add(20 * time.Second)
		time.Sleep(20 * time.Millisecond)
		ctx, cancel := context.WithDeadline(t.Context(), deadline)
		l.Close()
		if err := web.Shutdown(ctx); err != nil {
			t.Errorf("%s: %v, %d requests run", name, err, len(s.running))
		}
		cancel()
		here.Close()
		<-done
	}
}

// Whoever is refused is logged and counted, by the class of the refusal and with the ids of the
// client.
func TestRefusalsAreSeen(t *testing.T) {
	var log strings.Builder
	s := newServer(t, Options{Tokens: []string{token}, Hosts: LocalHosts(),
		Log: slog.New(slog.NewJSONHandler(&log, nil))})
	h := s.Handler()
	const trace = "0af7651916cd43dd8448eb211c80319c"
	for _, c := range []struct {
		method, url, header, value, says string
	}{
		{"GET", "http://evil.example/v2", "X", "", `"call":"GET /v2","status":421`},
		{"POST", "http://localhost/v2/models/price/infer", "Sec-Fetch-Site", "cross-site",
			`"call":"POST /v2/models/{model}/infer","status":403`},
		{"GET", "http://localhost/v2/models", "Authorization", "Bearer wrong", `"status":401`},
		{"GET", "http://localhost/nothing", "X-Request-Id", "mine-7", `"id":"mine-7","class":"token"`},
		{"GET", "http://localhost/nothing", "Traceparent", "00-" + trace + "-b7ad6b7169203331-01",
			`"trace":"` + trace + `"`},
	} {
		log.Reset()
		r := send(h, c.method, c.url, nil, c.header, c.value)
		text := log.String()
		if r.StatusCode < 400 || !strings.Contains(text, c.says) ||
			!strings.Contains(text, `"client":"192.0.2.1:`) ||
			!strings.Contains(text, `"seconds":`) {
			t.Errorf("%+v: %s %s", c, r.Status, text)
		}
		if r.Header.Get("X-Request-Id") == "" {
			t.Errorf("%+v: no id", c)
		}
	}
	metrics := string(content(t, send(h, "GET", "http://localhost/metrics", nil, "Authorization",
		"Bearer "+token)))
	for status, n := range map[int]int{401: 3, 403: 1, 421: 1} {
		want := fmt.Sprintf("pfnamp_requests_total{model=\"\",protocol=\"http\",status=\"%d\"} %d\n",
			status, n)
		must.Hold(t, "metrics", metrics, want)
	}
	odd := send(h, "GET", "http://localhost/v2", nil, "X-Request-Id", "a\"b\nc")
	if id := odd.Header.Get("X-Request-Id"); id == "" || strings.ContainsAny(id, "\"\n") {
		t.Errorf("id %q", id)
	}
}

// Only questions about rows are among the times of predictions.
func TestTimesOfPredictions(t *testing.T) {
	h := newServer(t, Options{}).Handler()
	send(h, "GET", "/v2/models/price", nil)
	send(h, "GET", "/v2/models/price/ready", nil)
	send(h, "POST", "/v2/models/price/infer", rowsJSON(queries(3)))
	metrics := string(content(t, send(h, "GET", "/metrics", nil)))
	must.Hold(t, "metrics", metrics,
		`pfnamp_request_seconds_count{model="price",protocol="http"} 1`+"\n")
}

// The error about a known path with another method names the right one.
func TestMethods(t *testing.T) {
	h := newServer(t, Options{}).Handler()
	for _, c := range [][4]string{{"GET", "/v2/models/price/infer", "405", "POST"},
		{"POST", "/v2/models", "405", "GET"}, {"DELETE", "/v2/models/price", "405", "GET"},
		{"GET", "/v3", "404", ""}} {
		r := send(h, c[0], c[1], nil)
		if fmt.Sprint(r.StatusCode) != c[2] || r.Header.Get("Allow") != c[3] {
			t.Errorf("%v: %s, Allow %q", c, r.Status, r.Header.Get("Allow"))
		}
	}
}

// Lists that contradict the shape are refused; one list and lists nested as it says are answered
// alike.
func TestShapes(t *testing.T) {
	h := newServer(t, Options{}).Handler()
	var answers []string
	for _, c := range []struct {
		shape, data string
		status      int
	}{
		{"[2,2]", "[50,2,60,3]", 200}, {"[2,2]", "[[50,2],[60,3]]", 200},
		{"[2,2]", "[[50,2,60],[3]]", 400},
		{"[2,2]", "[[50],[2,60,3]]", 400}, {"[2,2]", "[[[50,2],[60,3]]]", 400},
		{"[2,2]", "[[50,2],60,3]", 400},
		{"[2,2]", "[50,[2,60,3]]", 400}, {"[2,2]", "[[50,2],[],[60,3]]", 400}, {"[0,2]", "[]", 200},
		{"[3,2]", "[[50,60,70],[2,3,4]]", 400}, {"[2,2]", "[[50,2],[60,3]],[]", 400},
	} {
		r := send(h, "POST", "/v2/models/numbers/infer",
			[]byte(`{"inputs":[{"name":"x","datatype":"FP64","shape":`+
				c.shape+`,"data":`+c.data+"}]}"))
		body := has(t, c, r, c.status)
		if c.status == 200 && c.shape == "[2,2]" {
			answers = append(answers, string(body))
		}
	}
	if len(answers) != 2 || answers[0] != answers[1] {
		t.Errorf("%q", answers)
	}
}

// A packed table is answered like a plain one, and bounded by the bytes that it expands to.
func TestPackedTables(t *testing.T) {
	h := newServer(t, Options{Limits: Limits{Expanded: 10_000}}).Handler()
	for n, want := range map[int][]int{20: {200}, 2000: {413, 400}} { // a stream is cut there
		record := tableOf(t, queries(n)).Batches[0].Record
		for media, format := range map[string]tabular.Format{"text/csv": tabular.CSV,
			arrowStream: tabular.ArrowStream} {
			body := written(t, format, record)
			r := send(h, "POST", "/v2/models/price/table", packed(t, body), "Content-Type", media,
				"Content-Encoding", "gzip", "Accept", "text/csv")
			got := content(t, r)
			if !slices.Contains(want, r.StatusCode) {
				t.Errorf("%d rows, %s: %s %.200s", n, media, r.Status, got)
			}
		}
	}
}

// A client that sends a large body and only then reads hears what was wrong with it.
func TestErrorsBeforeTheEndOfABody(t *testing.T) {
	server := httptest.NewServer(newServer(t, Options{Limits: Limits{Body: 100_000}}).Handler())
	defer server.Close()
	address := strings.TrimPrefix(server.URL, "http://")
	rows := strings.Repeat("50,2,Bath,true,2001-01-01\n", 40_000)
	for _, c := range []struct{ head, body, says string }{
		{"/v2/models/none/infer HTTP/1.1\r\n", strings.Repeat(" ", 900_000), "404 Not Found"},
		{"/v2/models/price/infer HTTP/1.1\r\n", strings.Repeat(" ", 1_900_000),
			"413 Request Entity Too Large"},
		{"/v2/models/price/table HTTP/1.1\r\nContent-Type: text/csv\r\n",
			"area,rooms,town,lift,built\nx,2,Bath,true,2001-01-01\n" + rows[:900_000], "400 Bad Request"},
	} {
		connection, err := net.Dial("tcp", address)
		must.Succeed(t, err)
		pause := time.Second * 50_000 / time.Duration(len(c.body)) // longer than net/http waits
		fmt.Fprintf(connection, "POST %sHost: localhost\r\nContent-Length: %d\r\n\r\n", c.head,
			len(c.body))
		for at := 0; at < len(c.body); at += 50_000 {
			if _, err := io.WriteString(connection, c.body[at:min(at+50_000, len(c.body))]); err != nil {
				t.Errorf("%s: %d bytes are sent: %v", c.head, at, err)
				break
			}
			time.Sleep(pause)
		}
		answer := make([]byte, 100)
		n, _ := connection.Read(answer)
		must.Hold(t, c.head, string(answer[:n]), c.says)
		connection.Close()
	}
}
