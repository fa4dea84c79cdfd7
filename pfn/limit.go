package pfn

import (
	"context"
	"fmt"
	"time"
)

// Time that RunLimit gives. The slowest network that was measured, TabPFN v2 with a context of
// 4,000 rows and 10 features on one core, takes 0.65 ms per cell; time per cell grows in proportion
// to the rows, so that 50,000 rows take 6 ms.
const (
	leastTime = 10 * time.Minute
	cellTime  = 50 * time.Millisecond
)

// RunLimit is the most time that one run of a graph may take, unless Options.TimeLimit says
// otherwise:
//
//	10 min + 50 ms · rows · columns
//
// of the table that it works on: features by rows, of the context and, for the query graph, of the
// block of query rows. It is meant to end a graph that never ends, not to tell slow from fast:
// 75 times what 4,000 rows take with the slowest network, on one core, and as long again. Loading a
// graph may take RunLimit(0, 0).
func RunLimit(rows, columns int) time.Duration {
	return leastTime + cellTime*time.Duration(rows)*time.Duration(columns)
}

// TimeLimitError says that a graph was stopped, because it ran for longer than it may.
type TimeLimitError struct {
	Model string        // name and version of the model
	Doing string        // what took so long, such as "running its query graph"
	Limit time.Duration // that was exceeded
}

// Error names the model, what it did and the limit; Hint has the remedy.
func (e *TimeLimitError) Error() string {
	return fmt.Sprintf("model %s was stopped: %s took longer than its time limit of %v",
		e.Model, e.Doing, e.Limit.Round(time.Millisecond))
}

// Hint returns what to do about it.
func (e *TimeLimitError) Hint() string { return e.HintWith("Options.TimeLimit") }

// HintWith is Hint with the name that a program has for the option, such as its flag.
func (e *TimeLimitError) HintWith(option string) string {
	return "a sound model is much faster: its graph may never end. Give fewer rows, or more time by " +
		option
}

// within limits the time of one native call on a table of so many rows and columns. The caller
// cancels the context when the call has ended.
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
