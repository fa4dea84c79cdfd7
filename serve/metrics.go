package serve

import (
	"math"
	"net/http"
	"slices"
	"strconv"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"github.com/pfnamp/pfnamp/check"
)

// metrics count what happens, for Prometheus.
type metrics struct {
	handler  http.Handler
	requests *prometheus.CounterVec   // by protocol, model and status
	took     *prometheus.HistogramVec // by protocol and model
	rows     *prometheus.CounterVec   // by model
	run      *prometheus.HistogramVec // seconds, by model
	together *prometheus.HistogramVec // rows of a run, by model
	failed   prometheus.Counter       // reloads
	changed  prometheus.Counter       // models
}

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
		failed: prometheus.NewCounter(prometheus.CounterOpts{Name: "pfnamp_reloads_failed_total",
			Help: "Reloads in which files could not be read, so that old ones stay."}),
		changed: prometheus.NewCounter(prometheus.CounterOpts{Name: "pfnamp_models_changed_total",
			Help: "Models that took the name of one with another bundle, target or columns."}),
	}
	registry := prometheus.NewRegistry()
	registry.MustRegister(m.requests, m.took, m.rows, m.run, m.together, m.failed, m.changed,
		collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}),
		prometheus.NewGaugeFunc(prometheus.GaugeOpts{Name: "pfnamp_requests_running",
			Help: "Requests in progress."}, func() float64 { return float64(len(s.running)) }),
		prometheus.NewGaugeFunc(prometheus.GaugeOpts{Name: "pfnamp_body_bytes",
			Help: "Bytes of memory that requests hold."},
			func() float64 { return float64(s.held.Load()) }), scraped{s})
	m.handler = promhttp.HandlerFor(registry, promhttp.HandlerOpts{})
	return m
}

func (m *metrics) serve(w http.ResponseWriter, r *http.Request, _ *request) error {
	m.handler.ServeHTTP(w, r)
	return nil
}

func (m *metrics) request(r *request) {
	m.requests.WithLabelValues(r.protocol, r.model, strconv.Itoa(r.status)).Inc()
	if !r.asks || r.model == "" {
		return
	}
	m.took.WithLabelValues(r.protocol, r.model).Observe(time.Since(r.start).Seconds())
	m.rows.WithLabelValues(r.model).Add(float64(r.rows))
}

func (m *metrics) runs(model string) func(rows, jobs int, took time.Duration) {
	run, together := m.run.WithLabelValues(model), m.together.WithLabelValues(model)
	return func(rows, _ int, took time.Duration) {
		run.Observe(took.Seconds())
		together.Observe(float64(rows))
	}
}

// mostColumns bounds the columns of a model that have metrics of their own.
const mostColumns = 100

// scraped are how many rows wait for each model, in all its versions, and what is found in the last
// window of every model. No figure holds a cell.
type scraped struct{ s *Server }

// waitingAbout describes the rows that wait.
var waitingAbout = prometheus.NewDesc("pfnamp_queue_rows", "Rows in the queue, by model.",
	[]string{"model"}, nil)

// aboutWindow describes a metric about windows.
func aboutWindow(name, help string, labels ...string) *prometheus.Desc {
	return prometheus.NewDesc("pfnamp_check_"+name, help,
		append([]string{"model", "version"}, labels...), nil)
}

var (
	windowsAbout = aboutWindow("windows_total", "Windows of rows compared with the training table.")
	skippedAbout = aboutWindow("windows_skipped_total", "Windows skipped because another comparison "+
		"was running.")
)

// figureOf is a figure of --fail-if.
func figureOf(name string) func(w *check.Window) float64 {
	return func(w *check.Window) float64 { return w.Figure(name) }
}

// gauges are the metrics of a window, NaN where the window lacks one.
var gauges = []struct {
	about *prometheus.Desc
	of    func(w *check.Window) float64
}{
	{aboutWindow("rows", "Rows of the last window."),
		func(w *check.Window) float64 { return float64(w.Rows) }},
	{aboutWindow("end_seconds", "End of the last window, in seconds since 1970."),
		func(w *check.Window) float64 { return float64(w.End.UnixMilli()) / 1000 }},
	{aboutWindow("p", "P-value: probability of a difference this large without drift."),
		figureOf("p")},
	{aboutWindow("auc", "AUC of a classifier that tells the rows from the training table; 0.5 is "+
		"chance."), figureOf("auc")},
	{aboutWindow("drift", "2 AUC - 1 if p is below 0.01, else 0."), figureOf("drift")},
	{aboutWindow("supported", "Share of rows that look like the training table; 0.99 is usual."),
		figureOf("supported")},
	{aboutWindow("effective_rows", "Effective sample size of the training table for the window."),
		figureOf("effective_rows")},
	{aboutWindow("martingale", "Evidence for drift: without drift it exceeds c in at most 1 of c "+
		"windows."), func(w *check.Window) float64 { return float64(w.Martingale) }},
	{aboutWindow("width", "Median width of the predictive intervals; for classes, median of 1 - the "+
		"largest probability."), func(w *check.Window) float64 { return float64(w.Doubt) }},
	{aboutWindow("width_at_fit", "The same for rows of the training table that the model has not "+
		"read."), func(w *check.Window) float64 { return float64(w.DoubtAtFit) }},
}

// columnGauges are the metrics of the columns of a window.
var columnGauges = []struct {
	about *prometheus.Desc
	of    func(c check.Column) float64
}{
	{aboutWindow("column_outside", "Share of cells outside the range of the training table.",
		"column"), func(c check.Column) float64 { return float64(c.Outside) }},
	{aboutWindow("column_new", "Share of cells with a category that the training table lacks.",
		"column"), func(c check.Column) float64 { return float64(c.New) }},
	{aboutWindow("column_missing", "Share of cells without a value or with a new category.",
		"column"), func(c check.Column) float64 { return float64(c.Missing) }},
	{aboutWindow("column_missing_at_fit", "Share of cells without a value in the training table.",
		"column"), func(c check.Column) float64 { return float64(c.MissingAtFit) }},
	{aboutWindow("column_p", "P-value of the column, corrected for the number of columns.",
		"column"), func(c check.Column) float64 { return float64(c.P) }},
}

// Describe sends nothing: which columns a model has is only known when it is served.
func (scraped) Describe(chan<- *prometheus.Desc) {}

func (c scraped) Collect(to chan<- prometheus.Metric) {
	rows := map[string]int{}
	for _, m := range c.s.models() {
		rows[m.Name] += m.batcher.Waiting()
		if m.watch != nil {
			m.collectWindow(to)
		}
	}
	for model, n := range rows {
		to <- prometheus.MustNewConstMetric(waitingAbout, prometheus.GaugeValue, float64(n), model)
	}
}

func (m *model) collectWindow(to chan<- prometheus.Metric) {
	send := func(about *prometheus.Desc, kind prometheus.ValueType, v float64, labels ...string) {
		if !math.IsNaN(v) {
			to <- prometheus.MustNewConstMetric(about, kind, v,
				append([]string{m.Name, m.Version}, labels...)...)
		}
	}
	compared, skipped := m.watch.Windows()
	send(windowsAbout, prometheus.CounterValue, float64(compared))
	send(skippedAbout, prometheus.CounterValue, float64(skipped))
	found := m.watch.Latest()
	if found == nil {
		return
	}
	for _, g := range gauges {
		send(g.about, prometheus.GaugeValue, g.of(found))
	}
	measured := m.schema.FeatureNames()
	measured = measured[:min(len(measured), mostColumns)]
	for _, c := range found.Columns {
		for _, g := range columnGauges {
			if slices.Contains(measured, c.Name) {
				send(g.about, prometheus.GaugeValue, g.of(c), c.Name)
			}
		}
	}
}
