package main

import (
	"context"
	"fmt"

	"github.com/pfnamp/pfnamp"
	"github.com/pfnamp/pfnamp/cmd/pfnamp/internal/fault"
	"github.com/pfnamp/pfnamp/models"
	"github.com/pfnamp/pfnamp/tabular"
)

// byTarget is the value of --task that leaves the task to the model or, if none is named, to the
// target.
const byTarget = "auto"

// loadBundle loads the bundle that is named, or stands for the task that is asked for. None is
// loaded yet where the target decides.
func (j *contextJob) loadBundle(context.Context) (err error) {
	name, task := j.from.model, j.from.task
	switch {
	case name == "" && task == byTarget:
		return nil
	case name == "":
		j.bundle, err = models.ForTask(task)
		return err
	}
	if j.bundle, err = models.Find(name); err != nil {
		return err
	}
	if m := j.bundle.Manifest; task != byTarget && task != m.Task {
		return fault.Option("task", fmt.Sprintf("%s: model %s is for %s", task, m.Name, m.Task),
			"drop --task or --model, or name another --model of `pfnamp models list`")
	}
	return nil
}

// byTraining loads the bundle that the target of a training table asks for, unless one is loaded.
func (j *contextJob) byTraining(train *tabular.Table) error {
	if j.bundle != nil {
		return nil
	}
	task, err := pfnamp.TaskOf(train, j.from.fit)
	if err == nil {
		j.bundle, err = models.ForTask(task)
	}
	return err
}

// byState loads the bundle for the target of a saved state, unless one is loaded.
func (j *contextJob) byState() (err error) {
	if j.bundle != nil {
		return nil
	}
	j.bundle, err = models.ForTask(j.state.Task().Name())
	return err
}

// classes tells whether the target holds labels, and not numbers.
func (j *contextJob) classes() bool { return j.bundle.Manifest.Classifier() }
