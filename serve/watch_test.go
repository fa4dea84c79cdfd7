package serve

import (
	"bytes"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/pfnamp/pfnamp/internal/must"
	"github.com/pfnamp/pfnamp/tabular"
)

// metricsOf reads the metrics of a server, by name and labels as they are written.
func metricsOf(t *testing.T, s *Server) (values map[string]float64, text string) {
	t.Helper()
	text = string(content(t, send(s.Handler(), "GET", "/metrics", nil)))
	values = map[string]float64{}
	for line := range strings.Lines(text) {
		at := strings.LastIndex(line, " ")
		if v, err := strconv.ParseFloat(strings.TrimSpace(line[at+1:]), 64); err == nil {
			values[line[:at]] = v
		}
	}
	return values, text
}

// of names a metric of a model about windows.
func of(name, model string) string {
	return fmt.Sprintf("pfnamp_check_%s{model=%q,version=\"0a1b\"}", name, model)
}

// ofColumn names a metric of a column.
func ofColumn(name, column string) string {
	return fmt.Sprintf("pfnamp_check_column_%s{column=%q,model=\"price\",version=\"0a1b\"}", name,
		column)
}

// compared waits until so many windows of a model are compared.
func compared(t *testing.T, s *Server, model string, windows float64) (map[string]float64, string) {
	t.Helper()
	for range 3000 {
		values, text := metricsOf(t, s)
		_, fitted := values[of("width_at_fit", model)]
		if values[of("windows_total", model)] >= windows && fitted {
			return values, text
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Fatalf("%s: no window was compared", model)
	return nil, ""
}

// asks are the three ways to send rows to the model price.
func asks(t *testing.T, s *Server, l Listeners) map[string]func([]map[string]any) error {
	_, calls := dial(t, l)
	status := func(r *http.Response) error {
		if body := content(t, r); r.StatusCode != http.StatusOK {
			return fmt.Errorf("%s: %s", r.Status, body)
		}
		return nil
	}
	return map[string]func([]map[string]any) error{
		"HTTP": func(rows []map[string]any) error {
			return status(send(s.Handler(), "POST", "/v2/models/price/infer", rowsJSON(rows)))
		},
		"gRPC": func(rows []map[string]any) error {
			_, err := calls.ModelInfer(t.Context(), inferPrice(rows, true))
			return err
		},
		"table": func(rows []map[string]any) error {
			csv := written(t, tabular.CSV, tableOf(t, rows).Batches[0].Record)
			return status(send(s.Handler(), "POST", "/v2/models/price/table", csv, "Content-Type",
				"text/csv"))
		},
	}
}

// The same rows give the same metrics over HTTP, gRPC and as a table. Metrics contain no cell.
func TestWindows(t *testing.T) {
	var figures []map[string]float64
	for _, way := range []string{"HTTP", "gRPC", "table"} {
		s, l, _ := running(t, Options{CheckRows: 60}, Listeners{})
		ask := asks(t, s, l)[way]
		rows := queries(60)
		for first := 0; first < 60; first += 20 {
			if got, _ := metricsOf(t, s); first > 0 && got[of("windows_total", "price")] != 0 {
				t.Error("a window was compared before it was full")
			}
			if err := ask(rows[first : first+20]); err != nil {
				t.Fatal(way, err)
			}
		}
		got, text := compared(t, s, "price", 1)
		for name, want := range map[string]float64{of("rows", "price"): 60,
			ofColumn("new", "town"): 10. / 60, ofColumn("outside", "built"): 10. / 60,
			ofColumn("new", "rooms"): 0, ofColumn("missing", "rooms"): 10. / 60,
			ofColumn("missing_at_fit", "area"): 1. / 60} {
			if v, ok := got[name]; !ok || v != want {
				t.Errorf("%s: %s is %v, want %v", way, name, v, want)
			}
		}
		if w := got[of("width_at_fit", "price")]; !(w > 0) {
			t.Errorf("width at the fit %v", w)
		}
		for _, cell := range []string{"Atlantis", "Bath", "2031"} {
			// A digit more would be a part of a time or of a size.
			if regexp.MustCompile(`(^|[^0-9.])` + cell + `([^0-9.]|$)`).MatchString(text) {
				t.Errorf("%s: the metrics hold the cell %s", way, cell)
			}
		}
		kept := map[string]float64{}
		for name, v := range got {
			if strings.HasPrefix(name, "pfnamp_check_") && !strings.Contains(name, "end_seconds") {
				kept[name] = v
			}
		}
		figures = append(figures, kept)
	}
	for _, other := range figures[1:] {
		if fmt.Sprint(other) != fmt.Sprint(figures[0]) { // NaN is equal to NaN
			t.Errorf("%v\nis not\n%v", other, figures[0])
		}
	}
}

// Rows like the training table raise no alarm and shifted ones do; the second window has a
// martingale, and classes have a width too.
func TestWindowsFindShifts(t *testing.T) {
	s, l, _ := running(t, Options{CheckRows: 100}, Listeners{})
	ask := asks(t, s, l)["HTTP"]
	like := flats(200)[100:]
	must.Succeed(t, ask(like))
	got, _ := compared(t, s, "price", 1)
	if p := got[of("p", "price")]; !(p > 0.01) {
		t.Errorf("like rows have p %v", p)
	}
	if m, ok := got[of("martingale", "price")]; ok {
		t.Errorf("the first window has the martingale %v", m)
	}
	for n := range 2 {
		rows := flats(200)[100:]
		for _, row := range rows {
			row["area"] = 40 + row["area"].(float64)
		}
		must.Succeed(t, ask(rows))
		got, _ = compared(t, s, "price", float64(2+n))
	}
	if p, m := got[of("p", "price")], got[of("martingale", "price")]; !(p < 0.001) || !(m > 100) {
		t.Errorf("shifted rows have p %v and martingale %v", p, m)
	}
	has(t, "kind", send(s.Handler(), "POST", "/v2/models/kind/infer", rowsJSON(like)), 200)
	got, _ = compared(t, s, "kind", 1)
	if w := got[of("width", "kind")]; !(w > 0 && w <= 0.5) {
		t.Errorf("of two classes 1 - the largest probability is %v", w)
	}
}

// Every metric of the example's alerts is one of a server's, and every metric about windows is
// described in the documentation.
func TestAlertsNameMetrics(t *testing.T) {
	s, l, _ := running(t, Options{CheckRows: 20}, Listeners{})
	ask, text := asks(t, s, l)["HTTP"], ""
	for n := range 2 { // the first window lacks a figure
		must.Succeed(t, ask(queries(20)))
		_, text = compared(t, s, "price", float64(n+1))
	}
	typed := regexp.MustCompile(`(?m)^# TYPE (\S+)`)
	var there []string
	for _, match := range typed.FindAllStringSubmatch(text, -1) {
		there = append(there, match[1])
	}
	page, err := os.ReadFile(filepath.Join("..", "docs", "reference", "protocol.md"))
	must.Succeed(t, err)
	for _, name := range there {
		if strings.HasPrefix(name, "pfnamp_check_") && !bytes.Contains(page, []byte("`"+name+"`")) {
			t.Errorf("docs/reference/protocol.md does not describe %s", name)
		}
	}
	rules, err := os.ReadFile(filepath.Join("..", "examples", "prometheus", "alerts.yaml"))
	must.Succeed(t, err)
	named := regexp.MustCompile(`\bpfnamp_\w+`).FindAllString(string(rules), -1)
	if len(named) < 6 {
		t.Errorf("the alerts name %d metrics", len(named))
	}
	for _, name := range named {
		if !slices.Contains(there, name) {
			t.Errorf("no server has the metric %s of the alerts", name)
		}
	}
}
