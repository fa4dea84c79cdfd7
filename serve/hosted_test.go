package serve

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"mime/multipart"
	"net/http"
	"strings"
	"testing"

	"github.com/pfnamp/pfnamp"
	"github.com/pfnamp/pfnamp/amp"
	"github.com/pfnamp/pfnamp/serve/hosted"
	"github.com/pfnamp/pfnamp/tabular"
)

// fitting is that of the fixtures' models.
func fitting(t testing.TB, cache int64) *hosted.Fitting {
	return &hosted.Fitting{Regressor: predictor(t, "price").Fitted().Model(),
		Classifier: predictor(t, "kind").Fitted().Model(), Cache: cache, Seed: 3}
}

// hostedColumns are the features of the tests, in the order in which clients send them.
var hostedColumns = []string{"area", "rooms", "town", "lift"}

// rowsJSON are columns of rows as lists of cells.
func rowsJSON(rows []map[string]any, columns ...string) string {
	var lists []string
	for _, row := range rows {
		var cells []string
		for _, name := range columns {
			cells = append(cells, cellJSON(row[name]))
		}
		lists = append(lists, "["+strings.Join(cells, ",")+"]")
	}
	return "[" + strings.Join(lists, ",") + "]"
}

// hostedAnswer is an answer of POST /predict.
type hostedAnswer struct {
	Prediction json.RawMessage
	ModelID    string `json:"model_id"`
	Error      string
	Code       string
}

// hostedAsk sends a request of a task with an output, and anything else in JSON.
func hostedAsk(t *testing.T, h http.Handler, task, params, settings, rest string) (int,
	hostedAnswer) {
	t.Helper()
	body := fmt.Sprintf(`{"task_config":{"task":%q,"predict_params":{%s},"tabpfn_config":{"random_state":0,`+
		`"n_estimators":null%s}}%s}`, task, params, settings, rest)
	r := send(h, "POST", "/predict", []byte(body), "Content-Type", "application/json")
	var a hostedAnswer
	if data := content(t, r); json.Unmarshal(data, &a) != nil {
		t.Fatalf("%s", data)
	}
	return r.StatusCode, a
}

// points is what the library says: a point by functional and row.
func points(t *testing.T, model, target string, functionals []amp.Functional) ([][]float64,
	*pfnamp.Answer) {
	t.Helper()
	named := func(rows []map[string]any) *tabular.Table {
		list := make([]map[string]any, len(rows))
		for i, row := range rows {
			list[i] = map[string]any{"y": row[target]}
			if target == "" {
				delete(list[i], "y")
			}
			for j, name := range hostedColumns {
				list[i][fmt.Sprint(j)] = row[name]
			}
		}
		return tableOf(t, list)
	}
	f, err := pfnamp.Fit(t.Context(), predictor(t, model).Fitted().Model(), named(flats(60)),
		pfnamp.FitOptions{Target: "y"})
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	p, err := f.Prepare(t.Context(), pfnamp.Question{Functionals: functionals, Chains: 50, Seed: 3})
	if err != nil {
		t.Fatal(err)
	}
	target = ""
	a, err := p.Predict(t.Context(), named(queries(12)).Batches[0])
	if err != nil {
		t.Fatal(err)
	}
	list := make([][]float64, len(a.Posteriors[0].Estimates))
	for i, estimates := range a.Posteriors[0].Estimates {
		for _, e := range estimates {
			list[i] = append(list[i], e.Point)
		}
	}
	return list, a
}

// floatsOf reads numbers from JSON.
func floatsOf[T any](t *testing.T, data json.RawMessage) (v T) {
	t.Helper()
	if err := json.Unmarshal(data, &v); err != nil {
		t.Fatalf("%v: %.200s", err, data)
	}
	return v
}

// sameBits compares numbers.
func sameBits(t *testing.T, what string, got, want []float64) {
	t.Helper()
	for i := range want {
		if len(got) != len(want) || math.Float64bits(got[i]) != math.Float64bits(want[i]) {
			t.Fatalf("%s: %v, want %v", what, got, want)
		}
	}
}

// Fitting and predicting in one request gives the points of the library, and so does a model_id
// afterwards; classes are labels as they were sent.
func TestHosted(t *testing.T) {
	h := newServer(t, Options{Fit: fitting(t, 0)}).Handler()
	train := `,"X_train":` + rowsJSON(flats(60), hostedColumns...) + `,"y_train":` +
		rowsJSON(flats(60), "price")
	test := `,"X_test":` + rowsJSON(queries(12), hostedColumns...)
	want, _ := points(t, "price", "price", []amp.Functional{amp.Mean{}, amp.Quantile{Level: 0.1},
		amp.Quantile{Level: 0.5}})
	status, a := hostedAsk(t, h, "regression", `"output_type":"mean"`, `,"fit_mode":"fit_with_cache"`,
		train+test)
	if status != 200 || len(a.ModelID) < 20 {
		t.Fatalf("%d %+v", status, a)
	}
	sameBits(t, "mean", floatsOf[[]float64](t, a.Prediction), want[0])
	cached := fmt.Sprintf(`,"context":{"model_id":%q}`, a.ModelID) + test
	for range 2 {
		_, a = hostedAsk(t, h, "regression", `"output_type":"quantiles","quantiles":[0.1,0.5]`, "",
			cached)
		got := floatsOf[[][]float64](t, a.Prediction)
		sameBits(t, "q0.1", got[0], want[1])
		sameBits(t, "q0.5", got[1], want[2])
	}
	if status, a = hostedAsk(t, h, "classification", `"output_type":"preds"`, "",
		cached); status != 400 {
		t.Errorf("%d %+v", status, a)
	}
	train = strings.Replace(train, rowsJSON(flats(60), "price"), rowsJSON(flats(60), "kind"), 1)
	classes, answer := points(t, "kind", "kind", nil)
	_, a = hostedAsk(t, h, "classification", `"output_type":"probas"`, "", train+test)
	for i, row := range floatsOf[[][]float64](t, a.Prediction) {
		sameBits(t, "probas", row, []float64{classes[0][i], classes[1][i]})
	}
	if a.ModelID != "" {
		t.Errorf("kept without being asked for: %s", a.ModelID)
	}
	_, a = hostedAsk(t, h, "classification", `"output_type":"preds"`, "", train+test)
	for i, class := range floatsOf[[]string](t, a.Prediction) {
		if class != []string{"flat", "house"}[answer.Best[i]] {
			t.Errorf("row %d: %s", i, class)
		}
	}
}

// Tables in Parquet give what lists of cells give.
func TestHostedParquet(t *testing.T) {
	h := newServer(t, Options{Fit: fitting(t, 0)}).Handler()
	var body bytes.Buffer
	form := multipart.NewWriter(&body)
	part := func(name string, data []byte) {
		w, err := form.CreateFormFile(name, name)
		if err != nil {
			t.Fatal(err)
		}
		w.Write(data)
	}
	pick := func(rows []map[string]any, columns ...string) []byte {
		list := make([]map[string]any, len(rows))
		for i, row := range rows {
			list[i] = map[string]any{}
			for j, name := range columns {
				list[i][fmt.Sprint(j)] = row[name]
			}
		}
		return written(t, tabular.Parquet, tableOf(t, list).Batches[0].Record)
	}
	part("request",
		[]byte(`{"task_config":{"task":"regression","predict_params":{"output_type":"median"}}}`))
	part("x_train", pick(flats(60), hostedColumns...))
	part("y_train", pick(flats(60), "price"))
	part("x_test", pick(queries(12), hostedColumns...))
	form.Close()
	r := send(h, "POST", "/predict", body.Bytes(), "Content-Type", form.FormDataContentType())
	a := floatsOf[hostedAnswer](t, content(t, r))
	want, _ := points(t, "price", "price", []amp.Functional{amp.Quantile{Level: 0.5}})
	sameBits(t, "median", floatsOf[[]float64](t, a.Prediction), want[0])
}

// What is wrong with a request is said with its status; an id that is not known has an error of its
// own.
func TestHostedRefuses(t *testing.T) {
	h := newServer(t, Options{Fit: fitting(t, 1), Limits: Limits{Rows: 15}}).Handler()
	none := newServer(t, Options{}).Handler()
	r := send(none, "POST", "/predict", []byte("{}"))
	if text := string(content(t, r)); r.StatusCode != 404 || !strings.Contains(text, "allow fitting") {
		t.Errorf("a server that fits nothing: %s, %s", r.Status, text)
	}
	train := `,"X_train":` + rowsJSON(flats(60), hostedColumns...) + `,"y_train":` +
		rowsJSON(flats(60), "price")
	test := `,"X_test":` + rowsJSON(queries(3), hostedColumns...)
	mean, cached := `"output_type":"mean"`, `,"fit_mode":"fit_with_cache"`
	for _, c := range []struct {
		task, params, settings, rest string
		status                       int
		says                         string
	}{
		{"regression", mean, cached, train + test, 200, ""}, // larger than the cache: no id
		{"clustering", mean, "", train + test, 400, "task"},
		{"regression", `"output_type":"mode"`, "", train + test, 400, "output_type"},
		{"regression", `"output_type":"quantiles","quantiles":[2]`, "", train + test, 400, "quantile 2"},
		{"regression", `"output_type":"quantiles","quantiles":[]`, "", train + test, 400, "1 to 99"},
		{"regression", `"output_type":"quantiles","quantiles":[0.5` + strings.Repeat(",0.5", 99) +
			"]", "", train + test,
			400, "100 quantiles"},
		{"regression", mean, `,"n_estimators":3`, train + test, 400, "n_estimators"},
		{"regression", mean, `,"softmax_temperature":0.5`, train + test, 400, "softmax_temperature"},
		{"regression", mean, `,"balance_probabilities":true`, train + test, 400, "balance"},
		{"regression", mean, `,"categorical_features_indices":[9]`, train + test, 400, "no column 9"},
		{"regression", mean, "", train, 400, "no X_test"},
		{"regression", mean, "", test, 400, "neither"},
		{"regression", mean, "", `,"X_train":[[1]],"y_train":[[1]]` + test, 400, "has 1 row"},
		{"regression", mean, "", `,"X_train":[[1],[2]],"y_train":[[1]]` +
			test, 400, "X_train has 2 rows"},
		{"regression", mean, "", `,"X_train":[[1],[2]],"y_train":[[1,2],[1,2]]` + test, 400, "2 columns"},
		{"regression", mean, "", `,"X_train":[[1],[2,3]],"y_train":[1,2]` +
			test, 400, "row 2 of X_train"},
		{"regression", mean, "", `,"X_train":[[1],[{}]],"y_train":[1,2]` + test, 400, "not a number"},
		{"regression", mean, "", `,"X_train":7,"y_train":[1,2]` + test, 400, "list of rows"},
		{"regression", mean, "", `,"X_train":[],"y_train":[]` + test, 400, "no rows"},
		{"regression", mean, "", train + `,"X_test":[["wide",1,"Bath",true]]`, 400, `column "0"`},
		{"regression", mean, "", train + `,"X_test":[[1,2]]`, 400, "missing"},
		{"regression", mean, "", train + `,"X_test":[[1,2,"Bath",true,5]]`, 400, "X_test has 5 columns"},
		{"regression", mean, "", train + `,"X_test":[[1,2,"Bath",true],[1]]`, 400,
			"row 2 of X_test has 1 cells"},
		{"regression", mean, "", train + `,"X_test":[[1,2,"Bath",[1]]]`, 400, "not a number"},
		{"regression", mean, "", train + `,"X_test":` + rowsJSON(queries(16), hostedColumns...), 413,
			"at most 15"},
		{"regression", mean, "", `,"model_version":"v3"` + train + test, 400, "model_version"},
		{"regression", mean, "", `,"context":{"model_id":"guess"}` + test, 404, "fit again"},
	} {
		status, a := hostedAsk(t, h, c.task, c.params, c.settings, c.rest)
		if status != c.status || !strings.Contains(a.Error, c.says) || a.ModelID != "" {
			t.Errorf("%s %s %s %.60s: %d %+v, want %d with %q", c.task, c.params, c.settings, c.rest,
				status, a,
				c.status, c.says)
		}
		if c.status == 404 && a.Code != "unknown_model_id" {
			t.Errorf("code %q", a.Code)
		}
	}
	for _, media := range []string{"text/plain", "", "multipart/form-data"} {
		if r := send(h, "POST", "/predict", []byte("{}"), "Content-Type", media); r.StatusCode/100 != 4 {
			t.Errorf("%s: %s", media, r.Status)
		}
	}
}

// Labels of up to 53 bits come back as they were sent; one that would lose digits is refused
// instead of rounded.
func TestHostedLargeLabels(t *testing.T) {
	h := newServer(t, Options{Fit: fitting(t, 0)}).Handler()
	for first, status := range map[int]int{9007199254740991: 200, 9007199254740993: 400} {
		const second = -9007199254740990
		var y []map[string]any
		for i := range 60 {
			y = append(y, map[string]any{"id": []int{first, second}[i/2%2]})
		}
		train := `,"X_train":` + rowsJSON(flats(60), hostedColumns...) + `,"y_train":` + rowsJSON(y, "id")
		test := `,"X_test":` + rowsJSON(queries(12), hostedColumns...)
		got, a := hostedAsk(t, h, "classification", `"output_type":"preds"`, "", train+test)
		if got != status {
			t.Errorf("label %d: %d %s", first, got, a.Error)
		}
		if status == 200 {
			for _, label := range floatsOf[[]int](t, a.Prediction) {
				if label != first && label != second {
					t.Errorf("label %d", label)
				}
			}
		}
	}
}
