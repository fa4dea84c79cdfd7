package serve

import (
	"cmp"
	"context"
	"net/http"
	"slices"
	"strconv"

	"github.com/apache/arrow-go/v18/arrow"

	"github.com/pfnamp/pfnamp"
	"github.com/pfnamp/pfnamp/amp"
	"github.com/pfnamp/pfnamp/pfn"
	"github.com/pfnamp/pfnamp/tabular"
)

// Fitting lets clients fit tables of their own, by POST /predict: the contract of the package
// tabpfn_client.hosted 0.6.1. Models stay the caller's, who closes them after the server.
type Fitting struct {
	Regressor  *pfn.Model // nil refuses regression
	Classifier *pfn.Model // nil refuses classification
	// Cache is how many bytes of contexts are kept for requests that name them; 0 stands for 1 GiB.
	Cache int64
}

// hosted answers POST /predict.
type hosted struct {
	models map[string]*pfn.Model // by task
	cache  *contextCache
	fits   chan struct{} // one fit at a time
	limits Limits
}

// newHosted makes what answers POST /predict.
func newHosted(f Fitting, l Limits) *hosted {
	f.Cache = cmp.Or(f.Cache, 1<<30)
	h := &hosted{models: map[string]*pfn.Model{}, cache: newCache(f.Cache),
		fits: make(chan struct{}, 1), limits: l}
	for task, m := range map[string]*pfn.Model{
		"regression": f.Regressor, "classification": f.Classifier,
	} {
		if m != nil {
			h.models[task] = m
		}
	}
	return h
}

// hostedPredict answers POST /predict.
func (s *Server) hostedPredict(w http.ResponseWriter, r *http.Request, of *request) error {
	within(w, s.limits.Transit)
	body, free, err := s.body(w, r)
	if err != nil {
		return err
	}
	defer free()
	asked, err := parseHosted(r.Header.Get("Content-Type"), body, s.limits.Expanded)
	if err != nil {
		return err
	}
	test := asked.tables["X_test"]
	if test.Rows > int64(s.limits.Rows) {
		return faultf(http.StatusRequestEntityTooLarge, "X_test has %d rows: a request has at most %d",
			test.Rows, s.limits.Rows)
	}
	k, err := s.hosted.context(r.Context(), asked)
	if err != nil {
		return err
	}
	defer s.hosted.cache.release(k)
	prediction, err := k.predict(r.Context(), asked)
	if err != nil {
		return err
	}
	of.rows = int(test.Rows)
	answer := map[string]any{"prediction": prediction}
	if k.id != "" {
		answer["model_id"] = k.id
	}
	return writeJSON(w, http.StatusOK, answer)
}

// context is that of the id that a request names, or one that is fitted for it. Training tables
// come before an id. The caller releases it.
func (h *hosted) context(ctx context.Context, asked *hostedRequest) (*kept, error) {
	task := asked.Config.Task
	model := h.models[task]
	if model == nil {
		return nil, faultf(http.StatusBadRequest, "this server has no model for %s", task)
	}
	if asked.tables["X_train"] != nil && asked.tables["y_train"] != nil {
		return h.fit(ctx, model, asked)
	}
	k := h.cache.take(asked.Context.ModelID)
	if k == nil {
		return nil, &fault{status: http.StatusNotFound, code: "unknown_model_id",
			msg: "there is no such model_id: it was never given, or had to make room for others; fit again"}
	}
	if k.fitted.Model() != model {
		return nil, faultf(http.StatusBadRequest, "the model_id is not one of %s", task)
	}
	return k, nil
}

// fit fits a table, one at a time, and keeps it if the request asks for that.
func (h *hosted) fit(ctx context.Context, m *pfn.Model, asked *hostedRequest) (*kept, error) {
	table, opt, err := trainingTable(asked)
	if err != nil {
		return nil, err
	}
	select {
	case h.fits <- struct{}{}:
		defer func() { <-h.fits }()
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
	fitted, err := pfnamp.Fit(ctx, m, table, opt)
	if err != nil {
		return nil, err
	}
	if asked.Config.Settings.FitMode == "fit_with_cache" {
		return h.cache.add(fitted)
	}
	return &kept{fitted: fitted, users: 1, gone: true}, nil
}

// trainingTable joins the features and the target of a request.
func trainingTable(asked *hostedRequest) (*tabular.Table, pfnamp.FitOptions, error) {
	x, y := asked.tables["X_train"], asked.tables["y_train"]
	names := make([]string, x.Schema.NumFields())
	for i, field := range x.Schema.Fields() {
		names[i] = field.Name
	}
	opt := pfnamp.FitOptions{Target: "y"}
	for slices.Contains(names, opt.Target) {
		opt.Target += "_"
	}
	for _, at := range asked.Config.Settings.Categorical {
		if at < 0 || at >= len(names) {
			return nil, opt, faultf(http.StatusBadRequest,
				"categorical_features_indices: there is no column %d", at)
		}
		opt.Categorical = append(opt.Categorical, names[at])
	}
	columns, err := concatenated(x)
	if err != nil {
		return nil, opt, err
	}
	target, err := concatenated(y)
	if err != nil {
		return nil, opt, err
	}
	fields := append(slices.Clone(x.Schema.Fields()),
		arrow.Field{Name: opt.Target, Type: target[0].DataType(), Nullable: true})
	return tableOfColumns("X_train", fields, append(columns, target...), x.Rows), opt, nil
}

// question asks for what a request wants. The chains are as few as can be, as points do not depend on
// them.
func (r *hostedRequest) question() pfnamp.Question {
	q := pfnamp.Question{Chains: 2, Steps: 1}
	var levels []float64
	switch r.Config.Params.Output {
	case "median":
		levels = []float64{0.5}
	case "quantiles":
		levels = r.Config.Params.Quantiles
		if levels == nil {
			levels = []float64{0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9}
		}
	}
	for _, level := range levels {
		q.Functionals = append(q.Functionals, amp.Quantile{Level: level})
	}
	return q
}

// predict answers for the rows of X_test.
func (k *kept) predict(ctx context.Context, asked *hostedRequest) (any, error) {
	p, err := k.fitted.Prepare(ctx, asked.question())
	if err != nil {
		return nil, err
	}
	defer p.Close()
	points := make([][]float64, len(p.Question().Functionals)) // by functional and row
	for f := range points {
		points[f] = []float64{}
	}
	var best []int
	for _, batch := range asked.tables["X_test"].Batches {
		a, err := p.Predict(ctx, batch)
		if err != nil {
			return nil, err
		}
		for f, estimates := range a.Posteriors[0].Estimates {
			for _, e := range estimates {
				points[f] = append(points[f], e.Point)
			}
		}
		best = append(best, a.Best...)
	}
	switch asked.Config.Params.Output {
	case "preds":
		return labelsJSON(k.fitted.Schema().Labels, best), nil
	case "probas":
		return transposed(points), nil
	case "quantiles":
		return points, nil
	}
	return points[0], nil
}

// labelsJSON are classes as JSON has them.
func labelsJSON(labels *tabular.Labels, classes []int) []any {
	list := make([]any, len(classes))
	for i, class := range classes {
		text := labels.Texts[class]
		switch labels.Kind {
		case tabular.Numeric:
			list[i], _ = strconv.ParseInt(text, 10, 64) // labels are whole numbers
		case tabular.Boolean:
			list[i] = text == "true"
		default:
			list[i] = text
		}
	}
	return list
}

// transposed swaps rows and columns.
func transposed(columns [][]float64) [][]float64 {
	rows := make([][]float64, len(columns[0]))
	for i := range rows {
		for _, column := range columns {
			rows[i] = append(rows[i], column[i])
		}
	}
	return rows
}
