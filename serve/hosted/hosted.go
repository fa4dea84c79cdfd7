// Package hosted answers POST /predict like the self-hosted servers of Prior Labs. It implements
// the contract of the package tabpfn_client.hosted 0.6.1, by which clients fit their own tables.
// [Service.Answer] answers the body of one request; package serve connects it to HTTP.
package hosted

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
	"github.com/pfnamp/pfnamp/serve/internal/refusal"
	"github.com/pfnamp/pfnamp/tabular"
	"github.com/pfnamp/pfnamp/warning"
)

// Fitting holds the models and limits for clients that fit their own tables. The caller closes the
// models after the server.
type Fitting struct {
	Regressor  *pfn.Model // nil refuses regression
	Classifier *pfn.Model // nil refuses classification
	// Cache is the number of bytes of contexts that are kept for later requests; 0 means 1 GiB.
	Cache int64
	// Seed is the seed of the draws for missing cells; see pfnamp.Question.
	Seed uint64
	// AllowNew is pfnamp.Question.AllowNew.
	AllowNew bool
}

// Service answers requests. It is safe for concurrent use.
type Service struct {
	models map[string]*pfn.Model // by task
	cache  *contextCache
	fits   chan struct{}   // one fit at a time
	asked  pfnamp.Question // in the name of all requests
}

// New makes a Service. The caller closes it.
func New(f Fitting) *Service {
	f.Cache = cmp.Or(f.Cache, 1<<30)
	s := &Service{models: map[string]*pfn.Model{}, cache: newCache(f.Cache),
		fits:  make(chan struct{}, 1),
		asked: pfnamp.Question{Chains: 2, Steps: 1, Seed: f.Seed, AllowNew: f.AllowNew}}
	for task, m := range map[string]*pfn.Model{
		"regression": f.Regressor, "classification": f.Classifier,
	} {
		if m != nil {
			s.models[task] = m
		}
	}
	return s
}

// Close forgets all contexts.
func (s *Service) Close() { s.cache.close() }

// Request is the body of a request, with its limits.
type Request struct {
	ContentType string
	Body        []byte
	Rows        int                     // largest number of rows of X_test
	TableBytes  int64                   // largest size of a decompressed Parquet table, in bytes
	Take        func(bytes int64) error // is called before an allocation; an error refuses it
}

// Answer is the response to a client, as JSON.
type Answer struct {
	Prediction any    `json:"prediction"`
	ModelID    string `json:"model_id,omitempty"`
	Rows       int    `json:"-"`
}

// Answer answers a request. Errors are a *refusal.Error, an error of Take, or an error of package
// pfnamp.
func (s *Service) Answer(ctx context.Context, r Request) (*Answer, error) {
	asked, err := parse(r)
	if err != nil {
		return nil, err
	}
	test := asked.tables["X_test"]
	if test.Rows > int64(r.Rows) {
		return nil, refusal.Newf(http.StatusRequestEntityTooLarge,
			"X_test has %d rows, but at most %d are allowed: send fewer rows at once", test.Rows, r.Rows)
	}
	k, err := s.context(ctx, asked)
	if err != nil {
		return nil, err
	}
	defer s.cache.release(k)
	prediction, err := k.predict(ctx, asked, s.asked)
	if err != nil {
		return nil, err
	}
	return &Answer{Prediction: prediction, ModelID: k.id, Rows: int(test.Rows)}, nil
}

// context finds the context that a request names by its id, or fits one. A request with training
// tables and an id gets a new one. The caller releases it.
func (s *Service) context(ctx context.Context, asked *request) (*kept, error) {
	task := asked.Config.Task
	model := s.models[task]
	if model == nil {
		return nil, refusal.Newf(http.StatusBadRequest, "this server has no model for %s", task)
	}
	if asked.tables["X_train"] != nil && asked.tables["y_train"] != nil {
		return s.fit(ctx, model, asked)
	}
	k := s.cache.take(asked.Context.ModelID)
	if k == nil {
		return nil, &refusal.Error{Status: http.StatusNotFound, Code: "unknown_model_id",
			Class: "model_id",
			Msg:   "the model_id is unknown or no longer in the cache: fit again"}
	}
	if k.fitted.Model() != model {
		return nil, refusal.Newf(http.StatusBadRequest, "the model_id belongs to another task than %s",
			task)
	}
	return k, nil
}

// fit fits a table, one at a time, and keeps it if the request asks for that.
func (s *Service) fit(ctx context.Context, m *pfn.Model, asked *request) (*kept, error) {
	table, opt, err := trainingTable(asked)
	if err != nil {
		return nil, err
	}
	select {
	case s.fits <- struct{}{}:
		defer func() { <-s.fits }()
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
	fitted, err := pfnamp.Fit(ctx, m, table, opt)
	if err != nil {
		return nil, err
	}
	if asked.Config.Settings.FitMode == "fit_with_cache" {
		return s.cache.add(fitted)
	}
	return &kept{fitted: fitted, users: 1, gone: true}, nil
}

// trainingTable joins the features and the target of a request.
func trainingTable(asked *request) (*tabular.Table, pfnamp.FitOptions, error) {
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
			return nil, opt, refusal.Newf(http.StatusBadRequest,
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

// question asks for what a request wants, with the fewest chains: points do not depend on them.
func (r *request) question(q pfnamp.Question) pfnamp.Question {
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

// predict answers for the rows of X_test, which has the columns of X_train and no other ones.
func (k *kept) predict(ctx context.Context, asked *request, q pfnamp.Question) (any, error) {
	features, test := k.fitted.Schema().FeatureNames(), asked.tables["X_test"]
	for _, field := range test.Schema.Fields() {
		if !slices.Contains(features, field.Name) {
			return nil, refusal.Newf(http.StatusBadRequest, "X_test has %d columns and X_train %d: X_train "+
				"has no column %q", test.Schema.NumFields(), len(features), field.Name)
		}
	}
	p, err := k.fitted.Prepare(ctx, asked.question(q))
	if err != nil {
		return nil, err
	}
	defer p.Close()
	points := make([][]float64, len(p.Question().Functionals)) // by functional and row
	for f := range points {
		points[f] = []float64{}
	}
	var best []int
	var told []warning.Warning
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
		told = warning.Add(told, a.Warnings)
	}
	if err := p.RefuseNew("X_test", int(test.Rows), told); err != nil {
		return nil, err
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
