package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"time"

	"github.com/pfnamp/pfnamp"
	"github.com/pfnamp/pfnamp/internal/atomicfile"
	"github.com/pfnamp/pfnamp/models"
	"github.com/pfnamp/pfnamp/pfn"
	"github.com/pfnamp/pfnamp/serve"
	"github.com/pfnamp/pfnamp/serve/hosted"
	"github.com/pfnamp/pfnamp/tabular"
)

// serveJob is one run of `pfnamp serve`.
type serveJob struct {
	opt    serveOptions
	std    stdio
	states []*predictJob
	models []serve.Model
	fit    *hosted.Fitting // nil without --allow-fit
}

// open opens all states, so that what is wrong with one of them is told before anybody asks.
func (j *serveJob) open(ctx context.Context) error {
	bundles := make([]string, len(j.opt.states))
	tasks := map[bool]bool{}
	for i, s := range j.opt.states {
		var classifier bool
		var err error
		if bundles[i], classifier, err = j.bundleOf(s.path); err != nil {
			return err
		}
		tasks[classifier] = true
	}
	for i, s := range j.opt.states {
		if err := j.openState(ctx, s, bundles[i], len(tasks) > 1); err != nil {
			return err
		}
	}
	return j.openFitting(ctx)
}

// openFitting opens the models that clients may fit tables with: the first of each task among those
// named, else the embedded one.
func (j *serveJob) openFitting(ctx context.Context) error {
	if !j.opt.allowFit {
		return nil
	}
	j.fit = &hosted.Fitting{Cache: j.opt.fitCache}
	for task, to := range map[string]**pfn.Model{
		models.RegressionTask: &j.fit.Regressor, models.ClassificationTask: &j.fit.Classifier,
	} {
		bundle, err := j.bundleFor(task)
		if err != nil {
			return err
		}
		q := j.opt.question
		q.saved = false
		job := &predictJob{contextJob: contextJob{from: q.contextOptions, std: j.std, bundle: bundle}}
		j.states = append(j.states, job)
		if err := job.steps(ctx, job.openModel); err != nil {
			return err
		}
		*to = job.model
	}
	return nil
}

// bundleFor finds the bundle of a task.
func (j *serveJob) bundleFor(task string) (*models.Bundle, error) {
	for _, name := range j.opt.bundles {
		bundle, err := models.Find(name)
		if err != nil || bundle.Manifest.Task == task {
			return bundle, err
		}
	}
	return models.ForTask(task)
}

// bundleOf finds the bundle that a state was made with. Where it is not among those named, it is that
// of the state's task ("").
func (j *serveJob) bundleOf(path string) (name string, classifier bool, err error) {
	state, err := pfnamp.OpenState(path)
	if _, ok := errors.AsType[*fs.PathError](err); ok {
		return "", false, &tabular.Error{File: path, Err: atomicfile.Cause(err)}
	}
	if err != nil {
		return "", false, err
	}
	defer state.Close()
	for _, name := range j.opt.bundles {
		bundle, err := models.Find(name)
		if err != nil {
			return "", false, err
		}
		if bundle.SHA256() == state.SHA256 {
			return name, bundle.Manifest.Classifier(), nil
		}
	}
	return "", state.Schema.Labels != nil, nil
}

// openState makes a model of a state, by the stages of predict.
func (j *serveJob) openState(ctx context.Context, s namedState, bundle string, mixed bool) error {
	opt := j.opt.of(s, bundle, mixed)
	job := &predictJob{opt: opt, start: time.Now(),
		contextJob: contextJob{from: opt.contextOptions, std: j.std}}
	j.states = append(j.states, job)
	if err := job.steps(ctx, job.loadBundle, job.checkTask, job.openTraining, job.openModel, job.fit,
		job.prepare); err != nil {
		return err
	}
	facts, err := fileFacts(s.path)
	if err != nil {
		return err
	}
	const digits = 16 // of the hash: nobody makes another state with these by chance
	if len(facts.SHA256) < digits {
		return fmt.Errorf("%s: not a regular file", s.path)
	}
	j.models = append(j.models, serve.Model{Name: s.name, Version: facts.SHA256[:digits],
		Predictor: job.predictor})
	return nil
}

// serve listens and answers until ctx ends.
func (j *serveJob) serve(ctx context.Context) (err error) {
	options, listeners, err := j.listen(ctx)
	if err != nil {
		return err
	}
	server, err := serve.New(j.models, options)
	if err != nil {
		return errors.Join(err, listeners.Close())
	}
	extendPatience(ctx, listeners.Notice+listeners.Grace+patience)
	for _, m := range j.models {
		options.Log.Info("model", "name", m.Name, "version", m.Version)
	}
	attributes := []any{"http", listeners.HTTP.Addr().String()}
	if listeners.GRPC != nil {
		attributes = append(attributes, "grpc", listeners.GRPC.Addr().String())
	}
	options.Log.Info("ready", attributes...)
	err = server.Run(ctx, listeners)
	if errors.Is(err, context.DeadlineExceeded) {
		options.Log.Warn("what was not answered in time is cut", "grace", listeners.Grace)
		return nil
	}
	return err
}

// listen reads certificates and tokens and opens the ports.
func (j *serveJob) listen(ctx context.Context) (serve.Options, serve.Listeners, error) {
	o := j.opt
	o.limits.Silent = silentConnections()
	options := serve.Options{Limits: o.limits, Version: version(), Fit: j.fit, Log: j.log()}
	listeners := serve.Listeners{Notice: o.notice, Grace: max(o.grace, 1)} // 0 would be the default
	var err error
	if o.tokenFile != "" {
		if options.Tokens, err = serve.ReadTokens(o.tokenFile); err != nil {
			return options, listeners, &usageError{msg: "--token-file: " + err.Error()}
		}
	}
	if o.cert != "" {
		certificate, err := serve.ReadTLS(o.cert, o.key)
		if err != nil {
			return options, listeners, &usageError{msg: "--tls-cert, --tls-key: " + err.Error()}
		}
		listeners.TLS = certificate.Config()
	}
	local, err := serve.Loopback(o.listen)
	if err == nil && local && o.tokenFile == "" && !o.insecure {
		options.Hosts = serve.LocalHosts()
	}
	if err == nil {
		listeners.HTTP, err = serve.Listen(ctx, o.listen)
	}
	if err == nil && o.grpc != "none" {
		listeners.GRPC, err = serve.Listen(ctx, o.grpc)
	}
	if err != nil {
		return options, listeners, errors.Join(err, listeners.Close())
	}
	return options, listeners, nil
}

// log writes lines, or JSON objects, to standard error; with --quiet only those of errors.
func (j *serveJob) log() *slog.Logger {
	opt := &slog.HandlerOptions{}
	if j.opt.question.json {
		return slog.New(slog.NewJSONHandler(j.std.err, opt))
	}
	if j.opt.question.quiet {
		opt.Level = slog.LevelError
	}
	return slog.New(slog.NewTextHandler(j.std.err, opt))
}

// close frees all states.
func (j *serveJob) close() {
	for _, job := range j.states {
		job.close()
	}
}
