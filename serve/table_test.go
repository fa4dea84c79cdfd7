package serve

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/ipc"
	"github.com/apache/arrow-go/v18/arrow/memory"

	"github.com/pfnamp/pfnamp/internal/must"
	"github.com/pfnamp/pfnamp/tabular"
)

const (
	arrowStream = "application/vnd.apache.arrow.stream"
	parquet     = "application/vnd.apache.parquet"
)

// written are records as a file of a format.
func written(t testing.TB, format tabular.Format, records ...arrow.RecordBatch) []byte {
	t.Helper()
	path := filepath.Join(t.TempDir(), "t")
	w, err := tabular.Create(path, records[0].Schema(),
		tabular.WriteOptions{Format: format, Flush: true})
	must.Succeed(t, err)
	for _, r := range records {
		must.Succeed(t, w.Write(r))
	}
	must.Succeed(t, w.Commit())
	data, err := os.ReadFile(path)
	must.Succeed(t, err)
	return data
}

// tableRead is the one record of a table.
func tableRead(t *testing.T, data []byte) arrow.RecordBatch {
	t.Helper()
	in, err := tabular.OpenReader(bytes.NewReader(data), "answer",
		tabular.ReadOptions{RequireEOS: true})
	if err != nil {
		t.Fatalf("%v: %s", err, data)
	}
	table, err := in.ReadAll(t.Context())
	must.Succeed(t, err)
	var columns []arrow.Array
	for i := range table.Schema.NumFields() {
		var parts []arrow.Array
		for _, b := range table.Batches {
			parts = append(parts, b.Record.Column(i))
		}
		column, err := array.Concatenate(parts, memory.DefaultAllocator)
		must.Succeed(t, err)
		columns = append(columns, column)
	}
	return array.NewRecordBatch(table.Schema, columns, table.Rows)
}

// Tables of every format get the columns that are kept, and those of predict with its bits.
func TestTable(t *testing.T) {
	h := newServer(t, Options{Limits: Limits{BatchRows: 8}}).Handler()
	rows := queries(30)
	record := tableOf(t, rows).Batches[0].Record
	want := expected(t, "price", rows)
	for _, c := range []struct{ media, accept string }{
		{arrowStream, ""}, {arrowStream, "text/html, */*"}, {arrowStream, parquet},
		{"", arrowStream}, {"application/octet-stream", "text/csv"}, {"text/csv", arrowStream},
	} {
		format, _ := tabular.FormatOfMedia(c.media)
		if format == tabular.Auto {
			format = tabular.ArrowStream
		}
		r := send(h, "POST", "/v2/models/price/table?keep=rooms&keep=town", written(t, format, record),
			"Content-Type", c.media, "Accept", c.accept)
		body := content(t, r)
		if r.StatusCode != 200 {
			t.Errorf("%v: %s %s", c, r.Status, body)
			continue
		}
		if c.accept == "text/csv" {
			kept := array.NewRecordBatch(want.Schema(), want.Columns(), want.NumRows())
			if csv := written(t, tabular.CSV, kept); bytes.Count(body, []byte("\n")) != bytes.Count(csv,
				[]byte("\n")) {
				t.Errorf("%s", body)
			}
			continue
		}
		got := tableRead(t, body)
		if got.NumCols() != want.NumCols()+2 || got.ColumnName(0) != "rooms" ||
			got.ColumnName(1) != "town" {
			t.Fatalf("%v: %v", c, got.Schema())
		}
		for i, column := range want.Columns() {
			sameFloats(t, want.ColumnName(i), got.Column(i+2).(*array.Float64).Float64Values(), column)
		}
	}
	csv := send(h, "POST", "/v2/models/price/table", written(t, tabular.CSV, record), "Content-Type",
		"text/csv")
	if got := content(t, csv); !bytes.Equal(got, written(t, tabular.CSV, want)) {
		t.Errorf("CSV differs from that of predict: %s", got)
	}
	r := send(h, "POST", "/v2/models/price/table", written(t, tabular.CSV, record), "Content-Type",
		"text/csv; charset=utf-8", "Accept", "application/json")
	compare(t, parse(t, content(t, r)), "price", rows)
	tsv := "text/tab-separated-values"
	for accept, want := range map[string]string{
		"application/json;q=0, text/csv": "text/csv", "text/csv, application/json;q=0.1": "text/csv",
		"text/csv;q=0.2, application/json;q=0.9, */*;q=0.1": "application/json", tsv: tsv,
		"*/*, application/json;q=0.5": "text/csv",
	} {
		r := send(h, "POST", "/v2/models/price/table", written(t, tabular.CSV, record), "Content-Type",
			"text/csv", "Accept", accept)
		body := content(t, r)
		if got := r.Header.Get("Content-Type"); got != want || want == tsv &&
			!bytes.HasPrefix(body, []byte("mean\t")) {
			t.Errorf("%s: %s\n%s", accept, got, body)
		}
	}
}

// What is wrong with a table is said with its status; where a part was sent already, the answer is
// cut.
func TestTableRefuses(t *testing.T) {
	h := newServer(t, Options{Limits: Limits{BatchRows: 8, Rows: 20, Body: 4000}}).Handler()
	stream := written(t, tabular.ArrowStream, tableOf(t, queries(10)).Batches[0].Record)
	for _, c := range []struct {
		query, media, accept, body string
		status                     int
		says                       string
	}{
		{"", "image/png", "", "", 415, "text/csv"}, {"", parquet, "", "PAR1", 415, arrowStream},
		{"", "", "", "PAR1", 400, "parquet cannot be read from a pipe"},
		{"", "text/csv", "image/png", "area,rooms,town,lift,built\n", 406, "text/csv"},
		{"", "text/csv", "", "", 400, "empty"},
		{"", "text/csv", "", "area,rooms\n1,2\n", 400, "columns of rows are missing"},
		{"?keep=id", "text/csv", "", "area,rooms,town,lift,built\n", 400, `no column "id"`},
		{"?keep=area&keep=area", "text/csv", "", "area,rooms,town,lift,built\n", 400,
			`names the column "area" twice`},
		{"", "text/csv", "application/json", "area,rooms\n", 400, "columns of rows are missing"},
		{"?keep=area", "text/csv", "application/json", "area,rooms,town,lift,built\n", 400,
			"Accept: text/csv"},
		{"?keep=mean", "text/csv", "", "area,rooms,town,lift,built,mean\n", 400, "cannot be kept"},
		{"", "text/csv", "", "area,rooms,town,lift,built\nx,1,Bath,true,2001-01-01\n", 400,
			`request:2: column "area"`},
		{"", "text/csv", "application/json", "area,rooms,town,lift,built\n" +
			strings.Repeat("1,1,Bath,true,2001-01-01\n", 21), 413, "more than the 20 rows"},
	} {
		r := send(h, "POST", "/v2/models/price/table"+c.query, []byte(c.body), "Content-Type", c.media,
			"Accept", c.accept)
		must.Hold(t, c, parse(t, has(t, c, r, c.status)).Error, c.says)
	}
	server := httptest.NewServer(h)
	defer server.Close()
	for _, body := range [][]byte{stream[:len(stream)-8], stream[:len(stream)-300]} {
		r, err := http.Post(server.URL+"/v2/models/price/table", arrowStream, bytes.NewReader(body))
		must.Succeed(t, err)
		answer, err := io.ReadAll(r.Body)
		r.Body.Close()
		if err == nil && r.StatusCode == 200 {
			t.Errorf("a cut stream is answered by %d bytes", len(answer))
		}
	}
}

// A stream is answered while it is read, and a client that goes away in the middle leaves nothing.
func TestTableStreams(t *testing.T) {
	s := newServer(t, Options{})
	server := httptest.NewServer(s.Handler())
	defer server.Close()
	record := tableOf(t, queries(12)).Batches[0].Record
	from, to := io.Pipe()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	r, err := http.NewRequestWithContext(ctx, "POST", server.URL+"/v2/models/price/table", from)
	must.Succeed(t, err)
	r.Header.Set("Content-Type", arrowStream)
	writer := ipc.NewWriter(to, ipc.WithSchema(record.Schema()))
	sent := make(chan error, 1)
	go func() { sent <- writer.Write(record) }()
	response, err := http.DefaultClient.Do(r)
	must.Succeed(t, err)
	defer response.Body.Close()
	answers, err := ipc.NewReader(response.Body)
	must.Succeed(t, err)
	for range 3 { // each before the next one is sent
		must.Succeed(t, <-sent)
		got, err := answers.Read()
		must.Succeed(t, err)
		sameFloats(t, "mean", got.Column(0).(*array.Float64).Float64Values(),
			expected(t, "price", queries(12)).Column(0))
		go func() { sent <- writer.Write(record) }()
	}
	cancel()
	to.Close()
	for len(s.running) > 0 {
		time.Sleep(time.Millisecond)
	}
	if err := fmt.Sprint(<-sent); !strings.Contains(err, "closed") && err != "<nil>" {
		t.Error(err)
	}
}

// A table leaves its connection to further requests, whether it was answered or refused.
func TestTableLeavesTheConnection(t *testing.T) {
	server := httptest.NewServer(newServer(t, Options{}).Handler())
	defer server.Close()
	for i := range 60 {
		body, status := "area,rooms\n1,2\n", http.StatusOK
		if i%4 == 1 {
			body, status = "area,rooms\n1,x\n", http.StatusBadRequest
		}
		path, media := "/v2/models/numbers/table", "text/csv"
		if i%2 == 0 {
			path, media, status = "/v2/models/numbers/infer", "application/json", http.StatusOK
			body = `{"inputs":[{"name":"area","datatype":"FP64","shape":[1],"data":[1]},` +
				`{"name":"rooms","datatype":"FP64","shape":[1],"data":[2]}]}`
		}
		r, err := http.Post(server.URL+path, media, strings.NewReader(body))
		must.Succeed(t, err)
		got := content(t, r)
		r.Body.Close()
		if r.StatusCode != status || len(got) == 0 {
			t.Fatalf("request %d: status %d with %d bytes, want %d", i, r.StatusCode, len(got), status)
		}
	}
}
