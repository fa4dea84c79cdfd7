package serve

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"sync"
	"time"

	"github.com/pfnamp/pfnamp"
	"github.com/pfnamp/pfnamp/cmd/pfnamp/internal/fault"
	"github.com/pfnamp/pfnamp/cmd/pfnamp/internal/output"
	"github.com/pfnamp/pfnamp/internal/panics"
	"github.com/pfnamp/pfnamp/serve"
)

// servedState is a state that is served, or was until its last request ends.
type servedState struct {
	file  os.FileInfo // when it was read
	model serve.Model
	close func() // a second call does nothing
}

func modelsOf(states []*servedState) []serve.Model {
	list := make([]serve.Model, len(states))
	for i, s := range states {
		list[i] = s.model
	}
	return list
}

// openStates opens all states but those among the old ones whose files have not changed or, with an
// error, cannot be read, which it returns as they are. Without old ones an error leaves none open.
func (j *job) openStates(ctx context.Context, old []*servedState) (all []*servedState, lost error) {
	bundles := make([]string, len(j.named))
	tasks := map[string]bool{}
	for i, s := range j.named {
		bundle, task, err := j.bundleOf(s.path)
		if bundles[i] = bundle; err == nil {
			tasks[task] = true
		} else if old == nil {
			return nil, err
		}
	}
	for _, name := range j.bundles {
		if old == nil && !slices.Contains(bundles, name) {
			return nil, fault.Option("model", name+": no state was made with this bundle",
				"drop --model, or name the bundle of the states: pfnamp models show STATE")
		}
	}
	for i, s := range j.named {
		info, err := os.Stat(s.path)
		if err == nil && i < len(old) && sameFile(old[i].file, info) {
			all = append(all, old[i])
			continue
		}
		state, err := j.openState(ctx, s, bundles[i], len(tasks) > 1)
		if err != nil && old == nil {
			closeNew(all, nil)
			return nil, err
		}
		if lost = errors.Join(lost, err); err != nil {
			state = old[i]
		}
		all = append(all, state)
	}
	return all, lost
}

// openState makes a model of a state, by the stages of predict. It is ready for its first rows.
func (j *job) openState(
	ctx context.Context, s namedState, bundle string, mixed bool,
) (*servedState, error) {
	asked := j.question
	asked.From.Train, asked.From.Model, asked.From.Fit = s.path, bundle, pfnamp.FitOptions{}
	if mixed { // what numbers only have is not asked of classes
		asked.Given = slices.DeleteFunc(slices.Clone(asked.Given), func(name string) bool {
			return name == "functional" || name == "ppd"
		})
	}
	info, _ := os.Stat(s.path)
	leave := func() {}
	enter := func(ctx context.Context) (err error) {
		leave, err = j.networks.enter(ctx, &asked.Job)
		return err
	}
	state := &servedState{file: info, close: sync.OnceFunc(func() {
		asked.Model = nil // other states may use it
		asked.Close()
		leave()
	})}
	ready := func(ctx context.Context) error { return asked.Predictor.Ready(ctx) }
	err := asked.Steps(ctx, asked.LoadBundle, asked.CheckTask, asked.OpenTraining, enter, asked.Fit,
		asked.Prepare, ready)
	var version string
	if err == nil {
		version, err = versionOf(s)
	}
	if err != nil {
		state.close()
		return nil, err
	}
	state.model = serve.Model{Name: s.name, Version: version, Predictor: asked.Predictor,
		Done: state.close}
	return state, nil
}

// versionOf is the version of a state that was given, else the beginning of the hash of its file.
func versionOf(s namedState) (string, error) {
	if s.version != "" {
		return s.version, nil
	}
	facts, err := output.FileFacts(s.path)
	if err != nil {
		return "", err
	}
	const digits = 16 // of the hash: nobody makes another state with these by chance
	if len(facts.SHA256) < digits {
		return "", fmt.Errorf("%s: not a regular file", s.path)
	}
	return facts.SHA256[:digits], nil
}

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
			j.reload(ctx, server)
		case <-look:
			now := j.look()
			if !slices.EqualFunc(now, j.loaded, sameFile) && slices.EqualFunc(now, last, sameFile) {
				j.loaded = now
				j.reload(ctx, server)
			}
			last = now
		}
	}
}

// reload reads all files again. What fails, also by a panic, leaves what there was, and the next
// change of a file is seen all the same.
func (j *job) reload(ctx context.Context, server *serve.Server) {
	log := j.options.Log
	stale := panics.Job(func() error { return j.reloadFiles(server) })()
	if stale != nil {
		server.ReloadFailed("certificate and tokens cannot be reloaded: the old ones stay", stale)
	}
	err := panics.Job(func() error {
		states, failed := j.openStates(ctx, j.states)
		if err := server.Replace(modelsOf(states)); err != nil {
			closeNew(states, j.states)
			return errors.Join(failed, err)
		}
		for i, s := range states {
			if s != j.states[i] {
				log.Info("model", "name", s.model.Name, "version", s.model.Version)
			}
		}
		j.states = states
		if failed == nil && stale == nil {
			log.Info("reloaded")
		}
		return failed
	})()
	if err != nil {
		server.ReloadFailed("states cannot be reloaded: the old ones answer", err)
	}
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

func closeNew(states, old []*servedState) {
	for _, s := range states {
		if !slices.Contains(old, s) {
			s.close()
		}
	}
}
