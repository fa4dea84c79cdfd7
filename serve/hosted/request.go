package hosted

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"mime/multipart"
	"net/http"
	"slices"
	"unicode/utf8"

	"github.com/pfnamp/pfnamp/serve/internal/oip"
	"github.com/pfnamp/pfnamp/serve/internal/refusal"
	"github.com/pfnamp/pfnamp/tabular"
)

// request is a request of POST /predict. Other fields are ignored: they are settings without
// effect.
type request struct {
	Config struct {
		Task     string   `json:"task"`
		Settings settings `json:"tabpfn_config"`
		Params   struct {
			Output    string    `json:"output_type"`
			Quantiles []float64 `json:"quantiles"`
		} `json:"predict_params"`
	} `json:"task_config"`
	Context *struct {
		ModelID string `json:"model_id"`
	} `json:"context"`
	Version any             `json:"model_version"`
	XTrain  json.RawMessage `json:"X_train"`
	YTrain  json.RawMessage `json:"y_train"`
	XTest   json.RawMessage `json:"X_test"`

	tables map[string]*tabular.Table // by parts
}

// settings are those that would change the answer. check refuses those that the network does not
// take.
type settings struct {
	FitMode     string `json:"fit_mode"`
	Categorical []int  `json:"categorical_features_indices"`

	Estimators  any `json:"n_estimators"`
	Temperature any `json:"softmax_temperature"`
	Average     any `json:"average_before_softmax"`
	Inference   any `json:"inference_config"`
	Path        any `json:"model_path"`
	Balance     any `json:"balance_probabilities"`
}

// parts are the names of the tables, in JSON and in multipart bodies.
var parts = map[string]string{"X_train": "x_train", "y_train": "y_train", "X_test": "x_test"}

// parse reads a request: JSON, or multipart with tables in Parquet.
func parse(of Request) (*request, error) {
	media, params, err := mime.ParseMediaType(of.ContentType)
	r := &request{tables: map[string]*tabular.Table{}}
	switch {
	case err == nil && media == "multipart/form-data":
		err = r.readParts(multipart.NewReader(bytes.NewReader(of.Body), params["boundary"]), of)
	case err == nil && media == "application/json":
		if err = r.readJSON(of.Body, of.Take); err == nil {
			err = r.readCells(of.Take)
		}
	default:
		return nil, refusal.Newf(http.StatusUnsupportedMediaType,
			"Content-Type %q is not one of application/json, multipart/form-data", media)
	}
	if err != nil {
		return nil, err
	}
	return r, r.check()
}

// readJSON reads everything but the tables.
func (r *request) readJSON(text []byte, take func(int64) error) error {
	if err := take(2 * int64(len(text))); err != nil { // as plain JSON, and as its parts
		return err
	}
	if !utf8.Valid(text) {
		return refusal.Newf(http.StatusBadRequest, "the JSON of the request is not UTF-8")
	}
	err := json.Unmarshal(oip.Plain(text), r)
	typ, isType := errors.AsType[*json.UnmarshalTypeError](err)
	switch {
	case isType:
		return refusal.Newf(http.StatusBadRequest, "%s", oip.WrongType(typ))
	case err != nil:
		return refusal.Newf(http.StatusBadRequest, "the request is not valid JSON")
	}
	return nil
}

// readParts reads the parts of a multipart body.
func (r *request) readParts(reader *multipart.Reader, of Request) error {
	// The parts together are at most the body, and each has up to twice its size while it is read.
	if err := of.Take(2 * int64(len(of.Body))); err != nil {
		return err
	}
	names := map[string]string{}
	for key, name := range parts {
		names[name] = key
	}
	for {
		part, err := reader.NextPart()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return refusal.Newf(http.StatusBadRequest, "the multipart body is not valid: check its "+
				"boundary")
		}
		data, err := io.ReadAll(part)
		if err != nil {
			return refusal.Newf(http.StatusBadRequest, "the part %q of the body is truncated",
				part.FormName())
		}
		switch key := names[part.FormName()]; {
		case part.FormName() == "request":
			err = r.readJSON(data, of.Take)
		case key != "":
			r.tables[key], err = parquetTable(key, data, of)
		}
		if err != nil {
			return err
		}
	}
}

// check refuses what cannot be answered.
func (r *request) check() error {
	wrong := func(format string, args ...any) error {
		return refusal.Newf(http.StatusBadRequest, format, args...)
	}
	if t := r.Config.Task; t != "classification" && t != "regression" {
		return wrong("task %q is not one of classification, regression", t)
	}
	s := r.Config.Settings
	for _, setting := range []struct {
		name  string
		value any
	}{
		{"n_estimators", s.Estimators}, {"softmax_temperature", s.Temperature},
		{"average_before_softmax", s.Average}, {"inference_config", s.Inference},
		{"model_path", s.Path}, {"model_version", r.Version},
	} {
		if setting.value != nil {
			return wrong("%s is fixed when the server starts: remove it from the request", setting.name)
		}
	}
	if s.Balance != nil && s.Balance != false {
		return wrong("balance_probabilities is not supported: remove it from the request")
	}
	if r.tables["X_test"] == nil {
		return wrong("the request has no X_test")
	}
	trains := r.tables["X_train"] != nil && r.tables["y_train"] != nil
	switch {
	case r.Context == nil && !trains:
		return wrong("the request has neither X_train and y_train nor a model_id")
	case trains && r.tables["X_train"].Rows != r.tables["y_train"].Rows:
		return wrong("X_train has %d rows and y_train %d", r.tables["X_train"].Rows,
			r.tables["y_train"].Rows)
	case trains && r.tables["y_train"].Schema.NumFields() != 1:
		return wrong("y_train has %d columns: it must have one", r.tables["y_train"].Schema.NumFields())
	}
	return r.checkOutput()
}

// mostQuantiles is the most quantiles of a request.
const mostQuantiles = 99

// checkOutput refuses outputs that are not known.
func (r *request) checkOutput() error {
	known := []string{"mean", "median", "quantiles"}
	if r.Config.Task == "classification" {
		known = []string{"preds", "probas"}
	}
	levels := r.Config.Params.Quantiles
	if levels != nil && len(levels) == 0 || len(levels) > mostQuantiles {
		return refusal.Newf(http.StatusBadRequest, "the request has %d quantiles: use 1 to %d",
			len(levels), mostQuantiles)
	}
	for _, q := range levels {
		if !(q > 0 && q < 1) {
			return refusal.Newf(http.StatusBadRequest, "the quantile %v is not between 0 and 1", q)
		}
	}
	if slices.Contains(known, r.Config.Params.Output) {
		return nil
	}
	return refusal.Newf(http.StatusBadRequest, "output_type %q is not one of %v",
		r.Config.Params.Output, known)
}

// columnName is the name of a column that has none.
func columnName(i int) string { return fmt.Sprint(i) }
