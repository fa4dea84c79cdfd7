package serve

import (
	"context"
	"fmt"
	"os"
	"slices"
	"sync"

	"github.com/pfnamp/pfnamp"
	"github.com/pfnamp/pfnamp/cmd/pfnamp/internal/output"
	"github.com/pfnamp/pfnamp/serve"
)

// servedState is a state that is served, or was until its last request ends.
type servedState struct {
	file  os.FileInfo // when it was read
	model serve.Model
	close func() // a second call does nothing
}

// modelsOf are the models of states.
func modelsOf(states []*servedState) []serve.Model {
	list := make([]serve.Model, len(states))
	for i, s := range states {
		list[i] = s.model
	}
	return list
}

// openStates opens all states but those among the old ones whose files have not changed, which it
// returns as they are. On an error nothing is left open but the old ones.
func (j *job) openStates(ctx context.Context, old []*servedState) ([]*servedState, error) {
	bundles := make([]string, len(j.named))
	tasks := map[string]bool{}
	for i, s := range j.named {
		var task string
		var err error
		if bundles[i], task, err = j.bundleOf(s.path); err != nil {
			return nil, err
		}
		tasks[task] = true
	}
	var all []*servedState
	for i, s := range j.named {
		info, err := os.Stat(s.path)
		if err == nil && i < len(old) && sameFile(old[i].file, info) {
			all = append(all, old[i])
			continue
		}
		state, err := j.openState(ctx, s, bundles[i], len(tasks) > 1)
		if err != nil {
			closeNew(all, old)
			return nil, err
		}
		all = append(all, state)
	}
	return all, nil
}

// openState makes a model of a state, by the stages of predict. It is ready for its first rows.
func (j *job) openState(
	ctx context.Context, s namedState, bundle string, mixed bool,
) (*servedState, error) {
	asked := j.question
	asked.Std = j.std
	asked.From.Train, asked.From.Model, asked.From.Fit = s.path, bundle, pfnamp.FitOptions{}
	if mixed { // what numbers only have is not asked of classes
		asked.Given = slices.DeleteFunc(slices.Clone(asked.Given), func(name string) bool {
			return name == "functional" || name == "ppd"
		})
	}
	info, _ := os.Stat(s.path)
	state := &servedState{file: info, close: sync.OnceFunc(asked.Close)}
	ready := func(ctx context.Context) error { return asked.Predictor.Ready(ctx) }
	err := asked.Steps(ctx, asked.LoadBundle, asked.CheckTask, asked.OpenTraining, asked.OpenModel,
		asked.Fit,
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
