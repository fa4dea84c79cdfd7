package serve

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"syscall"

	"github.com/pfnamp/pfnamp"
	"github.com/pfnamp/pfnamp/cmd/pfnamp/internal/fault"
	"github.com/pfnamp/pfnamp/cmd/pfnamp/internal/self"
	"github.com/pfnamp/pfnamp/internal/atomicfile"
	"github.com/pfnamp/pfnamp/internal/panics"
	"github.com/pfnamp/pfnamp/models"
	"github.com/pfnamp/pfnamp/serve"
	"github.com/pfnamp/pfnamp/tabular"
)

// bundleOf finds the bundle that a state was made with. "" stands for one that is not among those
// named: the state looks for it itself.
func (j *job) bundleOf(path string) (name, task string, err error) {
	state, err := pfnamp.OpenState(path)
	if _, ok := errors.AsType[*fs.PathError](err); ok {
		return "", "", &tabular.Error{File: path, Err: atomicfile.Cause(err)}
	}
	if err != nil {
		return "", "", err
	}
	defer state.Close()
	for _, name := range j.bundles {
		bundle, err := models.Find(name)
		if err != nil {
			return "", "", err
		}
		if bundle.SHA256() == state.SHA256 {
			return name, bundle.Manifest.Task, nil
		}
	}
	return "", state.Task().Name(), nil
}

// log writes lines, or JSON objects, to standard error; with --quiet only those of errors.
func (j *job) log() *slog.Logger {
	opt := &slog.HandlerOptions{}
	if j.question.From.JSON {
		return slog.New(slog.NewJSONHandler(j.question.Std.Err, opt))
	}
	if j.question.From.Quiet {
		opt.Level = slog.LevelError
	}
	return slog.New(slog.NewTextHandler(j.question.Std.Err, opt))
}

func (j *job) close() {
	j.listeners.Close()
	for _, s := range j.states {
		s.close()
	}
}

func (j *job) serve(ctx context.Context, hangups <-chan os.Signal) error {
	log, l := j.options.Log, j.listeners
	server, err := serve.New(modelsOf(j.states), j.options)
	if err != nil {
		return err
	}
	self.ExtendPatience(ctx, l.Notice+l.Grace+self.Patience)
	for _, s := range j.states {
		log.Info("model", "name", s.model.Name, "version", s.model.Version)
	}
	attributes := []any{"http", l.HTTP.Addr().String()}
	if l.GRPC != nil {
		attributes = append(attributes, "grpc", l.GRPC.Addr().String())
	}
	log.Info("ready", attributes...)
	watching, stop := context.WithCancel(ctx)
	ended := make(chan error, 1)
	go func() {
		ended <- panics.Job(func() error { j.watch(watching, server, hangups); return nil })()
	}()
	err = server.Run(ctx, l)
	stop()
	err = errors.Join(err, <-ended)
	if errors.Is(err, context.DeadlineExceeded) {
		log.Warn("open requests took too long and are aborted", "grace_seconds", l.Grace.Seconds())
		return nil
	}
	return err
}

// listen reads certificates and tokens and opens the ports.
func (j *job) listen(ctx context.Context) (err error) {
	if j.tokenFile != "" {
		if j.options.Tokens, err = serve.ReadTokens(j.tokenFile); err != nil {
			return fault.Option("token-file", ": "+err.Error(), "")
		}
	}
	if j.cert != "" {
		if j.certificate, err = serve.ReadTLS(j.cert, j.key); err != nil {
			return fault.Wrong("--tls-cert, --tls-key: "+err.Error(), "")
		}
		j.listeners.TLS = j.certificate.Config()
	}
	http, grpc := j.addresses["listen"], j.addresses["grpc-listen"]
	if j.listeners.HTTP, err = serve.Listen(ctx, http); err != nil {
		return portInUse("--listen", http, err)
	}
	if grpc != "none" {
		j.listeners.GRPC, err = serve.Listen(ctx, grpc)
	}
	return portInUse("--grpc-listen", grpc, err)
}

// portInUse words the error of an address that another program listens on; others stay as they are.
func portInUse(flag, address string, err error) error {
	if !errors.Is(err, syscall.EADDRINUSE) {
		return err
	}
	return fmt.Errorf("%s %s: the port is in use: stop the program that uses it, or use another port "+
		"(0: any free one)", flag, address)
}
