package main

import (
	"context"
	"os"
	"slices"
	"time"

	"github.com/pfnamp/pfnamp/cmd/pfnamp/internal/fault"
	"github.com/pfnamp/pfnamp/internal/panics"
	"github.com/pfnamp/pfnamp/serve"
)

// fileStamp tells whether a file has changed. Its zero value is that of a file that is not there.
type fileStamp struct{ info os.FileInfo }

// stampOf looks at a file.
func stampOf(path string) fileStamp {
	info, err := os.Stat(path)
	if err != nil {
		return fileStamp{}
	}
	return fileStamp{info}
}

// same reports whether two stamps are those of one file that has not changed.
func (s fileStamp) same(other fileStamp) bool {
	if s.info == nil || other.info == nil {
		return s.info == nil && other.info == nil
	}
	return os.SameFile(s.info, other.info) && s.info.Size() == other.info.Size() &&
		s.info.ModTime().Equal(other.info.ModTime())
}

// serveFiles are the certificate and the tokens of a server, which are read again when they have
// changed.
type serveFiles struct {
	certificate *serve.Certificate // nil without one
	tokenFile   string             // "" without one
}

// open reads the files that the options name, and returns the tokens.
func (f *serveFiles) open(o serveOptions) (tokens []string, err error) {
	if f.tokenFile = o.tokenFile; o.tokenFile != "" {
		if tokens, err = serve.ReadTokens(o.tokenFile); err != nil {
			return nil, fault.Option("token-file", ": "+err.Error(), "")
		}
	}
	if o.cert != "" {
		if f.certificate, err = serve.ReadTLS(o.cert, o.key); err != nil {
			return nil, fault.Wrong("--tls-cert, --tls-key: "+err.Error(), "")
		}
	}
	return tokens, nil
}

// reload reads them again for a server. What cannot be read leaves what there was.
func (f *serveFiles) reload(server *serve.Server) error {
	if f.certificate != nil {
		if err := f.certificate.Reload(); err != nil {
			return err
		}
	}
	if f.tokenFile == "" {
		return nil
	}
	tokens, err := serve.ReadTokens(f.tokenFile)
	if err == nil {
		server.SetTokens(tokens)
	}
	return err
}

// watched lists the files that a reload reads.
func (o *serveOptions) watched() []string {
	var paths []string
	for _, s := range o.states {
		paths = append(paths, s.path)
	}
	for _, path := range []string{o.cert, o.key, o.tokenFile} {
		if path != "" {
			paths = append(paths, path)
		}
	}
	return paths
}

// stamps looks at all watched files.
func (o *serveOptions) stamps() []fileStamp {
	var list []fileStamp
	for _, path := range o.watched() {
		list = append(list, stampOf(path))
	}
	return list
}

// sameStamps compares two looks at the same files.
func sameStamps(a, b []fileStamp) bool {
	for i := range a {
		if !a[i].same(b[i]) {
			return false
		}
	}
	return true
}

// watch reloads at every hangup, and when files have changed since the last reload and have not
// between two looks, so that a file that is being written is left alone. It ends with ctx.
func (j *serveJob) watch(ctx context.Context, server *serve.Server, hangups <-chan os.Signal) {
	var look <-chan time.Time
	if j.opt.reload > 0 {
		ticker := time.NewTicker(j.opt.reload)
		defer ticker.Stop()
		look = ticker.C
	}
	last := j.loaded
	for {
		select {
		case <-ctx.Done():
			return
		case <-hangups:
			j.loaded = j.opt.stamps()
			j.tryReload(ctx, server)
		case <-look:
			now := j.opt.stamps()
			if !sameStamps(now, j.loaded) && sameStamps(now, last) {
				j.loaded = now
				j.tryReload(ctx, server)
			}
			last = now
		}
	}
}

// tryReload is reload. A panic is logged, and the next change of a file is seen all the same.
func (j *serveJob) tryReload(ctx context.Context, server *serve.Server) {
	err := panics.Job(func() error { j.reload(ctx, server); return nil })()
	if err != nil {
		j.options.Log.Error("the reload failed: what was loaded before answers", "error", err)
	}
}

// reload reads everything again, and logs what has become of it.
func (j *serveJob) reload(ctx context.Context, server *serve.Server) {
	log := j.options.Log
	if err := j.files.reload(server); err != nil {
		log.Error("certificate and tokens cannot be reloaded: the old ones stay", "error", err)
	}
	states, err := j.openStates(ctx, j.states)
	if err == nil {
		if err = server.Replace(modelsOf(states)); err != nil {
			closeNew(states, j.states)
		}
	}
	if err != nil {
		log.Error("states cannot be reloaded: the old ones answer", "error", err)
		return
	}
	for i, s := range states {
		if s != j.states[i] {
			log.Info("model", "name", s.model.Name, "version", s.model.Version)
		}
	}
	j.states = states
	log.Info("reloaded")
}

// closeNew closes the states that are not among the old ones.
func closeNew(states, old []*servedState) {
	for _, s := range states {
		if !slices.Contains(old, s) {
			s.close()
		}
	}
}
