package serve

import (
	"net/http"
	"strconv"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"
)

// metrics count what happens, for Prometheus.
type metrics struct {
	handler  http.Handler
	requests *prometheus.CounterVec   // by protocol, model and status
	took     *prometheus.HistogramVec // by protocol and model
	rows     *prometheus.CounterVec   // by model
	run      *prometheus.HistogramVec // seconds, by model
	together *prometheus.HistogramVec // rows of a run, by model
}

// newMetrics registers the metrics of a server.
func newMetrics(s *Server) *metrics {
	seconds := prometheus.ExponentialBuckets(0.001, 2, 16)
	m := &metrics{
		requests: prometheus.NewCounterVec(prometheus.CounterOpts{Name: "pfnamp_requests_total",
			Help: "Requests, by protocol, model and HTTP status."}, []string{"protocol", "model", "status"}),
		took: prometheus.NewHistogramVec(prometheus.HistogramOpts{Name: "pfnamp_request_seconds",
			Help: "Seconds from the header of a prediction request to its answer.", Buckets: seconds},
			[]string{"protocol", "model"}),
		rows: prometheus.NewCounterVec(prometheus.CounterOpts{Name: "pfnamp_rows_total",
			Help: "Rows answered, by model."}, []string{"model"}),
		run: prometheus.NewHistogramVec(prometheus.HistogramOpts{Name: "pfnamp_run_seconds",
			Help: "Seconds of a run of the network, including intervals.", Buckets: seconds},
			[]string{"model"}),
		together: prometheus.NewHistogramVec(prometheus.HistogramOpts{Name: "pfnamp_run_rows",
			Help: "Rows of a run of the network.", Buckets: prometheus.ExponentialBuckets(1, 2, 10)},
			[]string{"model"}),
	}
	registry := prometheus.NewRegistry()
	registry.MustRegister(m.requests, m.took, m.rows, m.run, m.together,
		collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}),
		prometheus.NewGaugeFunc(prometheus.GaugeOpts{Name: "pfnamp_requests_running",
			Help: "Requests in progress."}, func() float64 { return float64(len(s.running)) }),
		prometheus.NewGaugeFunc(prometheus.GaugeOpts{Name: "pfnamp_body_bytes",
			Help: "Bytes of memory that requests hold."},
			func() float64 { return float64(s.held.Load()) }), waitingRows{s}, windows{s})
	m.handler = promhttp.HandlerFor(registry, promhttp.HandlerOpts{})
	return m
}

// serve answers with all metrics.
func (m *metrics) serve(w http.ResponseWriter, r *http.Request, _ *request) error {
	m.handler.ServeHTTP(w, r)
	return nil
}

// request counts a request.
func (m *metrics) request(r *request) {
	m.requests.WithLabelValues(r.protocol, r.model, strconv.Itoa(r.status)).Inc()
	if !r.asks || r.model == "" {
		return
	}
	m.took.WithLabelValues(r.protocol, r.model).Observe(time.Since(r.start).Seconds())
	m.rows.WithLabelValues(r.model).Add(float64(r.rows))
}

// runs observes the runs of a model.
func (m *metrics) runs(model string) func(rows, jobs int, took time.Duration) {
	run, together := m.run.WithLabelValues(model), m.together.WithLabelValues(model)
	return func(rows, _ int, took time.Duration) {
		run.Observe(took.Seconds())
		together.Observe(float64(rows))
	}
}

// waitingRows collects how many rows wait for each model, in all its versions.
type waitingRows struct{ s *Server }

// waitingAbout describes what it collects.
var waitingAbout = prometheus.NewDesc("pfnamp_queue_rows", "Rows in the queue, by model.",
	[]string{"model"}, nil)

// Describe implements prometheus.Collector.
func (w waitingRows) Describe(to chan<- *prometheus.Desc) { to <- waitingAbout }

// Collect implements prometheus.Collector.
func (w waitingRows) Collect(to chan<- prometheus.Metric) {
	rows := map[string]int{}
	for _, m := range w.s.models() {
		rows[m.Name] += m.batcher.Waiting()
	}
	for model, n := range rows {
		to <- prometheus.MustNewConstMetric(waitingAbout, prometheus.GaugeValue, float64(n), model)
	}
}
