package pfn

import (
	"context"
	"fmt"
	"time"
)

// Times in RunLimit. The slowest measured network, TabPFN v2 with a context of 4,000 rows and 10
// features on one core, takes 0.65 ms per cell. Time per cell grows in proportion to the rows, so
// that 50,000 rows take about 8 ms.
const (
	leastTime = 10 * time.Minute
	cellTime  = 50 * time.Millisecond
)

// RunLimit returns the default of Options.TimeLimit, the most time for one run of a graph:
//
//	10 min + 50 ms · rows · columns
//
// of its table: features by rows, of the context and, for the query graph, of the block of query
// rows. It stops a graph that never ends, not a slow one: it is 75 times the time of 4,000 rows
// with the slowest network on one core. Loading a graph may take RunLimit(0, 0).
func RunLimit(rows, columns int) time.Duration {
	return leastTime + cellTime*time.Duration(rows)*time.Duration(columns)
}

// TimeLimitError reports that a graph was stopped because it exceeded its time limit.
type TimeLimitError struct {
	Model string        // name and version of the model
	Doing string        // the slow step, such as "running its query graph"
	Limit time.Duration // the limit
}

// Error names the model, the step and the limit. Hint has the remedy.
func (e *TimeLimitError) Error() string {
	return fmt.Sprintf("model %s was stopped: %s took longer than its time limit of %v",
		e.Model, e.Doing, e.Limit.Round(time.Millisecond))
}

// Hint returns what to do about it.
func (e *TimeLimitError) Hint() string { return e.HintWith("Options.TimeLimit") }

// HintWith is Hint with a program's name for the option, such as its flag.
func (e *TimeLimitError) HintWith(option string) string {
	return "a sound model is much faster, so the graph may never end. Use fewer rows, or raise " +
		option
}

// within limits the time of one native call on a table of this size. The caller cancels the context
// after the call.
func (m *Model) within(
	ctx context.Context, doing string, rows, columns int,
) (context.Context, context.CancelFunc) {
	limit := m.timeLimit
	if limit == 0 {
		limit = RunLimit(rows, columns)
	}
	if limit < 0 {
		return context.WithCancel(ctx)
	}
	return context.WithTimeoutCause(ctx, limit, &TimeLimitError{m.Name(), doing, limit})
}
