package serve

import (
	"bytes"
	"compress/zlib"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math"
	"net/http"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/apache/arrow-go/v18/arrow/array"

	"github.com/pfnamp/pfnamp/internal/must"
)

// kindsOf are the datatypes that the tests send the features of price as.
var kindsOf = map[string]string{"area": "FP64", "rooms": "INT32", "town": "BYTES", "lift": "BOOL",
	"built": "BYTES"}

// tensorsJSON are rows as inputs in JSON, with the bare NaN of Python.
func tensorsJSON(rows []map[string]any, shape string) string {
	var inputs []string
	for name, datatype := range kindsOf {
		var cells []string
		for _, row := range rows {
			cells = append(cells, cellJSON(row[name]))
		}
		inputs = append(inputs, fmt.Sprintf(`{"name":%q,"datatype":%q,"shape":`+shape+`,"data":[%s]}`,
			name, datatype, len(rows), strings.Join(cells, ", ")))
	}
	return strings.Join(inputs, ",")
}

// rowsJSON is a question about rows.
func rowsJSON(rows []map[string]any) []byte {
	return []byte(`{"inputs":[` + tensorsJSON(rows, "[%d]") + `]}`)
}

func cellJSON(cell any) string {
	switch v := cell.(type) {
	case nil:
		return "null"
	case float64:
		if math.IsNaN(v) {
			return "NaN"
		}
		return strconv.FormatFloat(v, 'g', -1, 64)
	case time.Time:
		return strconv.Quote(v.Format(time.DateOnly))
	case string:
		return strconv.Quote(v)
	}
	return fmt.Sprint(cell)
}

// responseJSON is a response as it is read back.
type responseJSON struct {
	Model      string `json:"model_name"`
	Version    string `json:"model_version"`
	ID         string
	Parameters struct{ Warnings string }
	Outputs    []struct {
		Name, Datatype string
		Shape          []int
		Data           json.RawMessage
		Parameters     struct {
			Size int `json:"binary_data_size"`
		}
	}
	Error string
}

func parse(t *testing.T, body []byte) responseJSON {
	t.Helper()
	var r responseJSON
	if err := json.Unmarshal(body, &r); err != nil {
		t.Fatalf("%v: %s", err, body)
	}
	return r
}

// compare compares a response in JSON with what predict says.
func compare(t *testing.T, r responseJSON, model string, rows []map[string]any) {
	t.Helper()
	want := expected(t, model, rows)
	if len(r.Outputs) != int(want.NumCols()) {
		t.Fatalf("%d outputs, want %d: %s", len(r.Outputs), want.NumCols(), r.Error)
	}
	for i, out := range r.Outputs {
		if out.Name != want.ColumnName(i) || out.Shape[0] != len(rows) {
			t.Errorf("output %d is %s %v, want %s", i, out.Name, out.Shape, want.ColumnName(i))
		}
		if texts, ok := want.Column(i).(*array.String); ok {
			var got []string
			if err := json.Unmarshal(out.Data, &got); err != nil ||
				fmt.Sprint(got) != fmt.Sprint(textsOf(texts)) {
				t.Errorf("%v, want %v: %v", got, texts, err)
			}
			continue
		}
		var got []float64
		must.Succeed(t, json.Unmarshal(out.Data, &got))
		sameFloats(t, out.Name, got, want.Column(i))
	}
}

func textsOf(a *array.String) []string {
	list := make([]string, a.Len())
	for i := range list {
		list[i] = a.Value(i)
	}
	return list
}

// Requests in JSON get the bits of predict: missing cells, NaN and new categories, of numbers and
// classes, in one piece and in many, compressed or not.
func TestInferJSON(t *testing.T) {
	h := newServer(t, Options{Limits: Limits{BatchRows: 16}}).Handler()
	for _, n := range []int{1, 2, 7, 50} {
		for model, path := range map[string]string{"price": "/v2/models/price/infer",
			"kind": "/v2/models/kind/versions/0a1b/infer"} {
			for _, shape := range []string{"[%d]", "[%d,1]"} {
				body := `{"id":"a<b","unknown":{"x":[NaN]},"inputs":[` + tensorsJSON(queries(n), shape) + `]}`
				r := send(h, "POST", path, []byte(body))
				got := parse(t, content(t, r))
				if r.StatusCode != 200 || got.ID != "a<b" || got.Model != model || got.Version != "0a1b" {
					t.Fatalf("%d rows: %s %+v", n, r.Status, got)
				}
				compare(t, got, model, queries(n))
				if warned := strings.Contains(got.Parameters.Warnings, `"town": `); warned != (n > 2) {
					t.Errorf("%d rows: warnings %q", n, got.Parameters.Warnings)
				}
			}
		}
	}
	has(t, "no rows", send(h, "POST", "/v2/models/price/infer", rowsJSON(nil)), 200,
		`"shape":[0],"data":[]`)
	body := rowsJSON(queries(7))
	var deflated bytes.Buffer
	w := zlib.NewWriter(&deflated)
	w.Write(body)
	must.Succeed(t, w.Close())
	for encoding, body := range map[string][]byte{"gzip": packed(t, body),
		"deflate": deflated.Bytes()} {
		r := send(h, "POST", "/v2/models/price/infer", body, "Content-Encoding", encoding)
		compare(t, parse(t, content(t, r)), "price", queries(7))
	}
}

// Tensors in binary get the bits of predict, in binary and in JSON; one tensor may have all
// columns.
func TestInferBinary(t *testing.T) {
	h := newServer(t, Options{}).Handler()
	rows := queries(12)
	var data []byte
	for _, row := range rows {
		for _, name := range []string{"area", "rooms"} {
			v := math.NaN()
			switch cell := row[name].(type) {
			case float64:
				v = cell
			case int:
				v = float64(cell)
			}
			data = binary.LittleEndian.AppendUint64(data, math.Float64bits(v))
		}
	}
	head := fmt.Sprintf(`{"parameters":{"binary_data_output":true},"inputs":[{"name":"x","datatype":"FP64",`+
		`"shape":[12,2],"parameters":{"binary_data_size":%d}}],"outputs":[{"name":"mean_lo"},`+
		`{"name":"mean","parameters":{"binary_data":false}}]}`, len(data))
	r := send(h, "POST", "/v2/models/numbers/infer", append([]byte(head), data...), inferHeader,
		strconv.Itoa(len(head)))
	body := content(t, r)
	n, err := strconv.Atoi(r.Header.Get(inferHeader))
	if err != nil {
		t.Fatalf("%s: %s", r.Status, body)
	}
	got, want := parse(t, body[:n]), expected(t, "numbers", rows)
	if out := got.Outputs[0]; out.Parameters.Size != 12*8 || len(body) != n+12*8 ||
		out.Name != "mean_lo" {
		t.Errorf("%+v", out)
	}
	floats := make([]float64, 12)
	for i := range floats {
		floats[i] = math.Float64frombits(binary.LittleEndian.Uint64(body[n+8*i:]))
	}
	sameFloats(t, "mean_lo", floats, want.Column(1))
	must.Succeed(t, json.Unmarshal(got.Outputs[1].Data, &floats))
	sameFloats(t, "mean", floats, want.Column(0))
}

// What is wrong with a request is said with its status, and never ends the server.
func TestInferRefuses(t *testing.T) {
	h := newServer(t, Options{Limits: Limits{Rows: 20, Body: 40_000, Expanded: 100_000}}).Handler()
	column := func(datatype, shape, data string) string {
		return `{"inputs":[{"name":"area","datatype":"` + datatype + `","shape":` + shape +
			`,"data":` + data +
			`},{"name":"rooms","datatype":"INT8","shape":[1],"data":[3]}]}`
	}
	numbers := "/v2/models/numbers/infer"
	for _, c := range []struct {
		path, body string
		header     []string
		status     int
		says       string
	}{
		{"/v2/models/none/infer", "{}", nil, 404, `no model "none"`},
		{"/v2/models/price/versions/9/infer", "{}", nil, 404, `no version "9"`},
		{"/v2/nothing", "{}", nil, 404, "does not exist"},
		{numbers, "{", nil, 400, "not valid JSON"},
		{numbers, "\xff{}", nil, 400, "UTF-8"},
		{numbers, `{"inputs":7}`, nil, 400, `field "inputs"`},
		{numbers, "{}", nil, 400, "no inputs"},
		{numbers, column("FP65", "[1]", "[1]"), nil, 400, `datatype "FP65"`},
		{numbers, column("FP64", "[2]", "[1]"), nil, 400, "shape [2] needs 2"},
		{numbers, column("FP64", "[1]", "[1,2]"), nil, 400, "more elements"},
		{numbers, column("FP64", "[1]", "{}"), nil, 400, "no list"},
		{numbers, column("FP64", "[1]", `["x"]`), nil, 400, "element 1"},
		{numbers, column("INT8", "[1]", `[300]`), nil, 400, "not of datatype INT8"},
		{numbers, column("INT8", "[1]", `[3.5]`), nil, 400, "not of datatype INT8"},
		{numbers, column("BOOL", "[1]", `[2]`), nil, 400, "not of datatype BOOL"},
		{numbers, column("FP64", "[2]", `[1,2]`), nil, 400, "same number of rows"},
		{numbers, column("FP64", "[1,2]", `[1,2]`), nil, 400, "[n] or [n,1]"},
		{numbers, column("FP64", "[-1]", `[1]`), nil, 400, "impossible shape"},
		{numbers, column("FP64", "[4294967296,4294967296,4294967296]", `[1]`), nil, 400,
			"impossible shape"},
		{numbers, column("FP64", "[1]", `[Infinity]`), nil, 400, `column "area"`},
		{numbers, column("BYTES", "[1]", `["wide"]`), nil, 400, `column "area"`},
		{numbers, strings.Replace(column("FP64", "[1]", `[1]`), "rooms", "romms", 1), nil, 400, "rooms"},
		{numbers, strings.Replace(column("FP64", "[1]", `[1]`), "rooms", "area", 1), nil, 400, "twice"},
		{numbers, `{"inputs":[{"name":"x","datatype":"FP64","shape":[1,3],"data":[1,2,3]}]}`, nil, 400,
			"is not [n,2]"},
		{numbers, `{"inputs":[{"name":"x","datatype":"FP64","shape":[21,2],"data":[` +
			strings.Repeat("1,", 41) + `1]}]}`, nil, 413, "more than the 20 rows"},
		{numbers, strings.Replace(column("FP64", "[1]", `[1]`), `"inputs"`,
			`"outputs":[{"name":"mode"}],"inputs"`, 1), nil, 400, `no output "mode"`},
		{numbers, strings.Replace(column("FP64", "[1]", `[1]`), `"inputs"`,
			`"outputs":[{"name":"mean"},{"name":"mean"}],"inputs"`,
			1), nil, 400, `names the output "mean" twice`},
		{numbers, `{"inputs":[{"name":"area","datatype":"FP64","shape":[1],"parameters":` +
			`{"binary_data_size":8}}]}`, nil, 400, "0 are left"},
		{numbers, "[1]", nil, 400, "the request is an array, but it must be a JSON object"},
		{numbers, "{}", []string{inferHeader, "9"}, 400, "declares 9 bytes of JSON"},
		{numbers, "{}", []string{inferHeader, "x"}, 400, "not a number"},
		{numbers, "{}12345678", []string{inferHeader, "2"}, 400, "belong to no input"},
		{numbers, "{}", []string{"Content-Encoding", "br"}, 415, "not one of gzip"},
		{numbers, "{}", []string{"Content-Encoding", "gzip"}, 400, "cannot be read"},
		{numbers, strings.Repeat(" ", 40_001), nil, 413, "more than 40000 bytes"},
		{numbers, string(packed(t, make([]byte, 1<<20))), []string{"Content-Encoding", "gzip"}, 413,
			"expands to more than 100000"},
	} {
		body := has(t, c.says, send(h, "POST", c.path, []byte(c.body), c.header...), c.status)
		must.Hold(t, c.path, parse(t, body).Error, c.says)
	}
	good := []byte(column("FP64", "[1]", "[50]"))
	has(t, "afterwards", send(h, "POST", numbers, good), 200)
}

// Health, metadata and metrics are what the protocol and its clients expect.
func TestAbout(t *testing.T) {
	s := newServer(t, Options{Version: "v1"})
	h := s.Handler()
	for path, want := range map[string]string{
		"/v2":                              `{"extensions":["binary_tensor_data"],"name":"pfnamp","version":"v1"}`,
		"/v2/health/live":                  `{"live":true}`,
		"/v2/health/ready":                 `{"ready":true}`,
		"/v2/models":                       `{"models":["kind","numbers","price"]}`,
		"/v2/models/kind/ready":            `{"name":"kind","ready":true}`,
		"/v2/models/numbers/versions/0a1b": `"inputs":[{"name":"area","datatype":"FP64","shape":[-1]},{"name":"rooms","datatype":"FP64","shape":[-1]}]`,
		"/v2/models/kind":                  `"outputs":[{"name":"class","datatype":"BYTES","shape":[-1]},{"name":"p=flat","datatype":"FP64"`,
		"/v2/models/price/columns":         `{"name":"town","kind":"categorical","categories":["Bath","Hull","York"]}`,
		"/metrics":                         `pfnamp_queue_rows{model="price"} 0`,
	} {
		r := send(h, "GET", path, nil)
		unescaped := strings.ReplaceAll(string(content(t, r)), `\u003d`, "=")
		if r.StatusCode != 200 || !strings.Contains(unescaped, want) {
			t.Errorf("%s: %s %s, want %s", path, r.Status, unescaped, want)
		}
	}
	s.ready.Store(false)
	has(t, "not ready", send(h, "GET", "/v2/health/ready", nil), 503, `{"ready":false}`)
}

// A value outside the range of the training table is warned of: in responses of the protocol, over
// gRPC, and behind tables, where categories that are new are too.
func TestWarnings(t *testing.T) {
	s, l, _ := running(t, Options{}, Listeners{})
	h := s.Handler()
	outside := `{"inputs":[{"name":"x","datatype":"FP64","shape":[1,2],"data":[5000,2]}]}`
	const says = `column "area"`
	got := parse(t,
		content(t, send(h, "POST", "/v2/models/numbers/infer", []byte(outside)))).Parameters.Warnings
	must.Hold(t, "warnings", got, says)
	inside := strings.Replace(outside, "5000", "30", 1)
	got = parse(t,
		content(t, send(h, "POST", "/v2/models/numbers/infer", []byte(inside)))).Parameters.Warnings
	if got != "" {
		t.Errorf("warnings %q", got)
	}
	table := "area,rooms,town,lift,built\n5000,2,\"\u00c4\u2714\",true,2001-01-01\n"
	r, err := http.Post("http://"+l.HTTP.Addr().String()+"/v2/models/price/table", "text/csv",
		strings.NewReader(table))
	must.Succeed(t, err)
	content(t, r)
	var list []string
	if err := json.Unmarshal([]byte(r.Trailer.Get(warningsHeader)), &list); err != nil ||
		len(list) != 2 ||
		!strings.Contains(strings.Join(list, "\n"), says) ||
		!strings.Contains(list[0], `column "town": 1 cell`) {
		t.Errorf("%v %q", err, r.Trailer)
	}
	_, calls := dial(t, l)
	rows := queries(1)
	rows[0]["area"] = 5000.0
	answer, err := calls.ModelInfer(t.Context(), inferPrice(rows, true))
	if err != nil || !strings.Contains(answer.Parameters["warnings"].GetStringParam(), says) {
		t.Errorf("%v %v", err, answer.GetParameters())
	}
}
