package run

import (
	"context"
	"fmt"

	"github.com/pfnamp/pfnamp"
	"github.com/pfnamp/pfnamp/cmd/pfnamp/internal/fault"
	"github.com/pfnamp/pfnamp/cmd/pfnamp/internal/flags"
	"github.com/pfnamp/pfnamp/models"
	"github.com/pfnamp/pfnamp/tabular"
)

// LoadBundle loads the bundle that is named, or stands for the task that is asked for. None is
// loaded yet where the target decides.
func (j *Job) LoadBundle(context.Context) (err error) {
	name, task := j.From.Model, j.From.Task
	switch {
	case name == "" && task == flags.ByTarget:
		return nil
	case name == "":
		j.Bundle, err = models.ForTask(task)
		return err
	}
	if j.Bundle, err = models.Find(name); err != nil {
		return err
	}
	if m := j.Bundle.Manifest; task != flags.ByTarget && task != m.Task {
		return fault.Option("task", fmt.Sprintf("%s: model %s is for %s", task, m.Name, m.Task),
			"drop --task or --model, or name another --model of `pfnamp models list`")
	}
	return nil
}

// byTraining loads the bundle that the target of a training table asks for, unless one is loaded.
func (j *Job) byTraining(train *tabular.Table) error {
	if j.Bundle != nil {
		return nil
	}
	task, err := pfnamp.TaskOf(train, j.From.Fit)
	if err == nil {
		j.Bundle, err = models.ForTask(task)
	}
	return err
}

// Classes tells whether the target holds labels, and not numbers.
func (j *Job) Classes() bool { return j.Bundle.Manifest.Classifier() }
