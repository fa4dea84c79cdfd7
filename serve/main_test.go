package serve

import (
	"bytes"
	"io"
	"math"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"

	"github.com/pfnamp/pfnamp"
	"github.com/pfnamp/pfnamp/amp"
	"github.com/pfnamp/pfnamp/internal/must"
	"github.com/pfnamp/pfnamp/internal/orttest"
	"github.com/pfnamp/pfnamp/pfn"
	"github.com/pfnamp/pfnamp/tabular"
)

func TestMain(m *testing.M) { orttest.Main(m, "^Example") }

// flats are labelled rows with every kind of feature and missing cells.
func flats(n int) []map[string]any {
	rows := make([]map[string]any, n)
	for i := range rows {
		area := float64(20+i*i%37) + 0.1*float64(i%7)
		rows[i] = map[string]any{"area": area, "rooms": 1 +
			i%5, "town": []string{"Bath", "York", "Hull"}[i%3],
			"lift": i%4 == 0, "built": time.Date(1990+i%30, 3, 1+i%20, 0, 0, 0, 0, time.UTC),
			"price": 3*area + float64(i*7%11), "kind": []string{"house", "flat"}[i/2%2]}
	}
	rows[4]["town"], rows[9]["area"] = nil, nil
	return rows
}

// fixtures are two models that all tests share: numbers and classes.
var fixtures = struct {
	sync.Once
	models []Model
}{}

// fixed fits the fixtures once. They stay open until the tests end.
func fixed(t testing.TB) []Model {
	t.Helper()
	library := orttest.Library(t)
	fixtures.Do(func() {
		fixtures.models = []Model{
			fitted(t, library, "price", "tiny", pfnamp.FitOptions{Target: "price", Ignore: []string{"kind"}},
				pfnamp.Question{Chains: 50, Functionals: []amp.Functional{amp.Mean{}, amp.Above(100)}}),
			fitted(t, library, "kind", "tabicl-classes",
				pfnamp.FitOptions{Target: "kind", Ignore: []string{"price"}}, pfnamp.Question{Chains: 50}),
			fitted(t, library, "numbers", "tiny", pfnamp.FitOptions{Target: "price",
				Ignore: []string{"kind", "town", "lift", "built"}}, pfnamp.Question{Chains: 50}),
		}
	})
	if len(fixtures.models) == 0 {
		t.Fatal("the fixtures could not be fitted")
	}
	return fixtures.models
}

func fitted(
	t testing.TB, library, name, bundle string, opt pfnamp.FitOptions, q pfnamp.Question,
) Model {
	t.Helper()
	m, err := pfnamp.Open(filepath.Join("..", "testdata", bundle), pfn.Options{Library: library})
	must.Succeed(t, err)
	f, err := pfnamp.Fit(t.Context(), m, tableOf(t, flats(60)), opt)
	must.Succeed(t, err)
	p, err := f.Prepare(t.Context(), q)
	must.Succeed(t, err)
	return Model{Name: name, Version: "0a1b", Predictor: p}
}

// tableOf is a table of Go values that cannot fail.
func tableOf(t testing.TB, rows []map[string]any) *tabular.Table {
	t.Helper()
	table, err := pfnamp.Table("rows", rows)
	must.Succeed(t, err)
	return table
}

// newServer serves the fixtures until the test ends.
func newServer(t testing.TB, opt Options) *Server {
	t.Helper()
	s, err := New(fixed(t), opt)
	must.Succeed(t, err)
	t.Cleanup(s.Close)
	return s
}

// predictor is that of a named fixture.
func predictor(t testing.TB, name string) *pfnamp.Predictor {
	t.Helper()
	for _, m := range fixed(t) {
		if m.Name == name {
			return m.Predictor
		}
	}
	t.Fatalf("no model %s", name)
	return nil
}

// expected is what predict answers for rows.
func expected(t testing.TB, model string, rows []map[string]any) arrow.RecordBatch {
	t.Helper()
	p := predictor(t, model)
	a, err := p.Predict(t.Context(), tableOf(t, rows).Batches[0])
	must.Succeed(t, err)
	record, err := p.Record(a)
	must.Succeed(t, err)
	return record
}

// queries are rows with what is hard: missing cells, NaN, a category and a date that are new.
func queries(n int) []map[string]any {
	rows := flats(max(n, 10))[:n]
	for i, row := range rows {
		delete(row, "price")
		delete(row, "kind")
		switch i % 6 {
		case 1:
			row["area"] = math.NaN()
		case 2:
			row["town"] = "Atlantis"
		case 3:
			row["rooms"], row["lift"] = nil, nil
		case 4:
			row["built"] = time.Date(2031, 1, 2, 0, 0, 0, 0, time.UTC)
		}
	}
	return rows
}

// send sends a request to a handler.
func send(h http.Handler, method, path string, body []byte, header ...string) *http.Response {
	r := httptest.NewRequest(method, path, bytes.NewReader(body))
	for i := 0; i < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w.Result()
}

// content is a body that can be read.
func content(t testing.TB, r *http.Response) []byte {
	t.Helper()
	defer r.Body.Close()
	data, err := io.ReadAll(r.Body)
	must.Succeed(t, err)
	return data
}

// has is the content of an answer that must have a status and all words.
func has(t testing.TB, what any, r *http.Response, status int, words ...string) []byte {
	t.Helper()
	body := content(t, r)
	if r.StatusCode != status {
		t.Errorf("%v: %s %s, want %d", what, r.Status, body, status)
	}
	must.Hold(t, what, string(body), words...)
	return body
}

// sameFloats compares a column bit by bit.
func sameFloats(t testing.TB, name string, got []float64, want arrow.Array) {
	t.Helper()
	floats := want.(*array.Float64)
	if len(got) != floats.Len() {
		t.Fatalf("%s: %d values, want %d", name, len(got), floats.Len())
	}
	for i, v := range got {
		if math.Float64bits(v) != math.Float64bits(floats.Value(i)) {
			t.Errorf("%s, row %d: %v, want %v", name, i, v, floats.Value(i))
		}
	}
}
