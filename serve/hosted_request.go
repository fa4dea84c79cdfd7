package serve

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"mime/multipart"
	"net/http"
	"unicode/utf8"

	"github.com/pfnamp/pfnamp/serve/internal/oip"
	"github.com/pfnamp/pfnamp/tabular"
)

// hostedRequest is a request of POST /predict. Fields that are not here are ignored; those of
// settings without effect are.
type hostedRequest struct {
	Config struct {
		Task     string         `json:"task"`
		Settings hostedSettings `json:"tabpfn_config"`
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

	tables map[string]*tabular.Table // by hostedParts
}

// hostedSettings are those that would change the answer. What the network cannot be told is
// refused.
type hostedSettings struct {
	FitMode     string `json:"fit_mode"`
	Categorical []int  `json:"categorical_features_indices"`

	Estimators  any `json:"n_estimators"`
	Temperature any `json:"softmax_temperature"`
	Average     any `json:"average_before_softmax"`
	Inference   any `json:"inference_config"`
	Path        any `json:"model_path"`
	Balance     any `json:"balance_probabilities"`
}

// hostedParts are the names of the tables, in JSON and in multipart bodies.
var hostedParts = map[string]string{"X_train": "x_train", "y_train": "y_train", "X_test": "x_test"}

// parseHosted reads a request: JSON, or multipart with tables in Parquet.
func parseHosted(contentType string, body []byte, maxBytes int64) (*hostedRequest, error) {
	media, params, err := mime.ParseMediaType(contentType)
	r := &hostedRequest{tables: map[string]*tabular.Table{}}
	switch {
	case err == nil && media == "multipart/form-data":
		err = r.readParts(multipart.NewReader(bytes.NewReader(body), params["boundary"]), maxBytes)
	case err == nil && media == "application/json":
		if err = r.readJSON(body); err == nil {
			err = r.readCells()
		}
	default:
		return nil, faultf(http.StatusUnsupportedMediaType,
			"Content-Type %q is not one of application/json, multipart/form-data", media)
	}
	if err != nil {
		return nil, err
	}
	return r, r.check()
}

// readJSON reads everything but the tables.
func (r *hostedRequest) readJSON(text []byte) error {
	if !utf8.Valid(text) {
		return faultf(http.StatusBadRequest, "the JSON of the request is not UTF-8")
	}
	err := json.Unmarshal(oip.Plain(text), r)
	typ, isType := errors.AsType[*json.UnmarshalTypeError](err)
	switch {
	case isType:
		return faultf(http.StatusBadRequest, "the field %q of the request cannot be a %s", typ.Field,
			typ.Value)
	case err != nil:
		return faultf(http.StatusBadRequest, "the request is not valid JSON")
	}
	return nil
}

// readParts reads the parts of a multipart body.
func (r *hostedRequest) readParts(parts *multipart.Reader, maxBytes int64) error {
	names := map[string]string{}
	for key, name := range hostedParts {
		names[name] = key
	}
	for {
		part, err := parts.NextPart()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return faultf(http.StatusBadRequest, "the parts of the body cannot be told apart")
		}
		data, err := io.ReadAll(part)
		if err != nil {
			return faultf(http.StatusBadRequest, "the part %q of the body is cut short", part.FormName())
		}
		switch key := names[part.FormName()]; {
		case part.FormName() == "request":
			err = r.readJSON(data)
		case key != "":
			r.tables[key], err = parquetTable(key, data, maxBytes)
		}
		if err != nil {
			return err
		}
	}
}

// check refuses what cannot be answered.
func (r *hostedRequest) check() error {
	wrong := func(format string, args ...any) error {
		return faultf(http.StatusBadRequest, format, args...)
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
			return wrong("%s is fixed when the server starts: leave it out", setting.name)
		}
	}
	if s.Balance != nil && s.Balance != false {
		return wrong("balance_probabilities is not known here: leave it out")
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
func (r *hostedRequest) checkOutput() error {
	known := []string{"mean", "median", "quantiles"}
	if r.Config.Task == "classification" {
		known = []string{"preds", "probas"}
	}
	levels := r.Config.Params.Quantiles
	if levels != nil && len(levels) == 0 || len(levels) > mostQuantiles {
		return faultf(http.StatusBadRequest, "%d quantiles: there must be 1 to %d", len(levels), mostQuantiles)
	}
	for _, q := range levels {
		if !(q > 0 && q < 1) {
			return faultf(http.StatusBadRequest, "the quantile %v is not between 0 and 1", q)
		}
	}
	for _, name := range known {
		if name == r.Config.Params.Output {
			return nil
		}
	}
	return faultf(http.StatusBadRequest, "output_type %q is not one of %v",
		r.Config.Params.Output, known)
}

// columnName is the name of a column that has none.
func columnName(i int) string { return fmt.Sprint(i) }
