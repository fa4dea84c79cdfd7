package serve

import (
	"context"
	"os"
	"slices"
	"time"

	"github.com/pfnamp/pfnamp/internal/panics"
	"github.com/pfnamp/pfnamp/serve"
)

// look looks at all files that a reload reads; nil stands for one that is not there.
func (j *job) look() (files []os.FileInfo) {
	paths := []string{j.cert, j.key, j.tokenFile}
	for _, s := range j.named {
		paths = append(paths, s.path)
	}
	for _, path := range paths {
		info, _ := os.Stat(path)
		files = append(files, info)
	}
	return files
}

// sameFile reports whether two looks were at one file that has not changed.
func sameFile(a, b os.FileInfo) bool {
	if a == nil || b == nil {
		return a == b
	}
	return os.SameFile(a, b) && a.Size() == b.Size() && a.ModTime().Equal(b.ModTime())
}

// watch reloads at every hangup, and when files have changed since the last reload and have not
// between two looks, so that a file that is being written is left alone. It ends with ctx.
func (j *job) watch(ctx context.Context, server *serve.Server, hangups <-chan os.Signal) {
	var look <-chan time.Time
	if j.reloads > 0 {
		ticker := time.NewTicker(j.reloads)
		defer ticker.Stop()
		look = ticker.C
	}
	last := j.loaded
	for {
		select {
		case <-ctx.Done():
			return
		case <-hangups:
			j.loaded = j.look()
			j.tryReload(ctx, server)
		case <-look:
			now := j.look()
			if !slices.EqualFunc(now, j.loaded, sameFile) && slices.EqualFunc(now, last, sameFile) {
				j.loaded = now
				j.tryReload(ctx, server)
			}
			last = now
		}
	}
}

// tryReload is reload. A panic is logged, and the next change of a file is seen all the same.
func (j *job) tryReload(ctx context.Context, server *serve.Server) {
	err := panics.Job(func() error { j.reload(ctx, server); return nil })()
	if err != nil {
		j.options.Log.Error("the reload failed: what was loaded before answers", "error", err)
	}
}

// reload reads everything again, and logs what has become of it.
func (j *job) reload(ctx context.Context, server *serve.Server) {
	log := j.options.Log
	if err := j.reloadFiles(server); err != nil {
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

// reloadFiles reads certificate and tokens again. What cannot be read leaves what there was.
func (j *job) reloadFiles(server *serve.Server) error {
	if j.certificate != nil {
		if err := j.certificate.Reload(); err != nil {
			return err
		}
	}
	if j.tokenFile == "" {
		return nil
	}
	tokens, err := serve.ReadTokens(j.tokenFile)
	if err == nil {
		server.SetTokens(tokens)
	}
	return err
}

// closeNew closes the states that are not among the old ones.
func closeNew(states, old []*servedState) {
	for _, s := range states {
		if !slices.Contains(old, s) {
			s.close()
		}
	}
}
