package evaluate

import (
	"context"

	"github.com/pfnamp/pfnamp/amp"
)

// Interval is a credible interval of a functional at one row, Lo <= Hi.
type Interval struct{ Lo, Hi float64 }

// Task is a prediction whose uncertainty is asked for.
type Task struct {
	Model      Model
	Train      Data
	Query      Matrix
	Prediction Prediction
	Level      float64 // of the intervals, in (0, 1)
	Seed       uint64
	Key        string // names the random stream of methods that draw, with Seed
}

// Method makes credible intervals.
type Method interface {
	// Name is how tables call the method.
	Name() string
	// Intervals returns the interval of every functional at every row; a nil entry tells that
	// the method has no answer for that functional, for this prediction.
	Intervals(ctx context.Context, t *Task, functionals []amp.Functional) ([][]Interval, error)
}

// Names of the methods.
const (
	MethodPaper     = string(amp.PaperPosterior)  // chains of the paper's schedule
	MethodLimit     = string(amp.LimitPosterior)  // the same, of the last distribution
	MethodLocal     = "local"                     // chains with the local schedule
	MethodDirect    = string(amp.DirectPosterior) // the model's own posterior
	MethodBootstrap = "bootstrap"                 // refits on resampled training rows
	MethodPPD       = "ppd"                       // no interval: the predictive distribution itself
)
