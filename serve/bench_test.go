package serve

import (
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/pfnamp/pfnamp"
	"github.com/pfnamp/pfnamp/internal/orttest"
	"github.com/pfnamp/pfnamp/pfn"
	"github.com/pfnamp/pfnamp/serve/internal/oippb"
)

// embedded serves the embedded model, which has read 500 rows of 10 features, and returns a request
// with so many of them.
func embedded(b *testing.B) (Model, func(rows int) []map[string]any) {
	b.Helper()
	row := func(i int) map[string]any {
		cells := map[string]any{"y": float64(i*i%97) + float64(i%13)}
		for j := range 10 {
			cells[fmt.Sprintf("x%d", j)] = float64((i*(j+3)*7919)%1009) / 1009
		}
		return cells
	}
	list := func(n int) []map[string]any {
		rows := make([]map[string]any, n)
		for i := range rows {
			rows[i] = row(i)
		}
		return rows
	}
	m, err := pfnamp.Open("", pfn.Options{Library: orttest.Library(b)})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { m.Close() })
	f, err := pfnamp.Fit(b.Context(), m, tableOf(b, list(500)), pfnamp.FitOptions{Target: "y"})
	if err != nil {
		b.Fatal(err)
	}
	p, err := f.Prepare(b.Context(), pfnamp.Question{})
	if err != nil {
		b.Fatal(err)
	}
	return Model{Name: "m", Version: "1", Predictor: p}, list
}

// BenchmarkPredict is the bare call that the server makes, with one row and with 64.
func BenchmarkPredict(b *testing.B) {
	m, rows := embedded(b)
	for _, n := range []int{1, 64} {
		batch := tableOf(b, rows(n)).Batches[0]
		b.Run(fmt.Sprintf("rows=%d", n), func(b *testing.B) {
			took := make([]time.Duration, 0, b.N)
			for b.Loop() {
				start := time.Now()
				if _, err := m.Predictor.Predict(b.Context(), batch); err != nil {
					b.Fatal(err)
				}
				took = append(took, time.Since(start))
			}
			report(b, took, n)
		})
	}
}

// BenchmarkInfer is a request with one row, from so many clients at a time, who ask again when they
// have their answer.
func BenchmarkInfer(b *testing.B) {
	m, rows := embedded(b)
	s, err := New([]Model{m}, Options{})
	if err != nil {
		b.Fatal(err)
	}
	defer s.Close()
	_, l, _ := serving(b, s, Listeners{})
	transport := &http.Transport{MaxIdleConnsPerHost: 64}
	defer transport.CloseIdleConnections()
	client := &http.Client{Transport: transport}
	url := "http://" + l.HTTP.Addr().String() + "/v2/models/m/infer"
	var inputs []string
	message := &oippb.ModelInferRequest{ModelName: "m"}
	for name, cell := range rows(1)[0] {
		inputs = append(inputs, fmt.Sprintf(`{"name":%q,"datatype":"FP64","shape":[1],"data":[%v]}`, name,
			cell))
		message.Inputs = append(message.Inputs, &oippb.ModelInferRequest_InferInputTensor{Name: name,
			Datatype: "FP64", Shape: []int64{1},
			Contents: &oippb.InferTensorContents{Fp64Contents: []float64{cell.(float64)}}})
	}
	body := `{"inputs":[` + strings.Join(inputs, ",") + `]}`
	_, calls := dial(b, l)
	for protocol, ask := range map[string]func() error{
		"http": func() error {
			r, err := client.Post(url, "application/json", strings.NewReader(body))
			if err != nil {
				return err
			}
			defer r.Body.Close()
			_, err = io.Copy(io.Discard, r.Body)
			return err
		},
		"grpc": func() error {
			_, err := calls.ModelInfer(b.Context(), message)
			return err
		},
	} {
		for _, n := range []int{1, 8, 32, 64} {
			b.Run(fmt.Sprintf("%s/clients=%d", protocol, n), func(b *testing.B) { asking(b, n, ask) })
		}
	}
}

// asking lets so many clients ask.
func asking(b *testing.B, n int, ask func() error) {
	var mu sync.Mutex
	var all []time.Duration
	var clients sync.WaitGroup
	b.ResetTimer()
	for i := range n {
		clients.Go(func() {
			var took []time.Duration
			for range (b.N + n - 1 - i) / n {
				start := time.Now()
				if err := ask(); err != nil {
					b.Error(err)
					return
				}
				took = append(took, time.Since(start))
			}
			mu.Lock()
			defer mu.Unlock()
			all = append(all, took...)
		})
	}
	clients.Wait()
	report(b, all, 1)
}

// report reports the median and the 0.99-quantile of times, and rows per second.
func report(b *testing.B, took []time.Duration, rows int) {
	slices.Sort(took)
	ms := func(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }
	b.ReportMetric(ms(took[len(took)/2]), "p50-ms")
	b.ReportMetric(ms(took[len(took)*99/100]), "p99-ms")
	b.ReportMetric(float64(rows*len(took))/b.Elapsed().Seconds(), "rows/s")
}
