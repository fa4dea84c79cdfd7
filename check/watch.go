package check

import (
	"context"
	"math/rand/v2"
	"sync"
	"time"

	"github.com/pfnamp/pfnamp"
	"github.com/pfnamp/pfnamp/drift"
	"github.com/pfnamp/pfnamp/evaluate"
	"github.com/pfnamp/pfnamp/internal/matrix"
	"github.com/pfnamp/pfnamp/internal/panics"
	"github.com/pfnamp/pfnamp/pfn"
)

// Window is the result of comparing one window of answered rows. Its report has no labels.
type Window struct {
	Report
	// Martingale is the largest value of a drift.Martingale that bets, row after row, that the rows
	// look more like the last window than rows of the context do. Without drift it reaches c in at
	// most one of c windows. It is NaN in the first window.
	Martingale evaluate.Number
	// Doubt and DoubtAtFit are the medians of pfnamp.Predictor.Doubts and pfnamp.Fitted.HeldDoubts:
	// widths of predictive intervals, or probabilities that the best class is wrong. DoubtAtFit is
	// NaN until soon after the first window.
	Doubt, DoubtAtFit evaluate.Number
	End               time.Time // time of the last answer
}

// idle is the least time between two checks, in times of the last check: a server has other work.
const idle = 19

// Watch compares answered rows with the context, window after window, in its own goroutine. It
// holds at most three windows of rows. It skips a window that fills while another one waits. It is
// safe for concurrent use.
type Watch struct {
	predictor *pfnamp.Predictor
	rows      int // of a window
	seed      uint64

	mu      sync.Mutex
	filling *answered
	latest  *Window
	windows int
	skipped int

	full chan *answered
	stop context.CancelFunc
	done chan struct{} // closed when nothing is compared any more
}

// answered are the rows of a window and the doubts about their labels.
type answered struct {
	Batch
	doubts []float64
	end    time.Time
}

// NewWatch starts to watch the answers of a predictor. A window ends with the answer that brings it
// to the given number of rows, at least drift.LeastRows. If a comparison fails, the watch ends and
// calls failed with the error. The caller closes the watch before the predictor.
func NewWatch(p *pfnamp.Predictor, rows int, seed uint64, failed func(error)) *Watch {
	w := &Watch{predictor: p, rows: max(rows, drift.LeastRows), seed: seed, filling: &answered{},
		full: make(chan *answered, 1), done: make(chan struct{})}
	var ctx context.Context
	ctx, w.stop = context.WithCancel(context.Background())
	go func() {
		defer close(w.done)
		err := panics.Job(func() error { return w.work(ctx) })()
		if ctx.Err() == nil {
			failed(err)
		}
	}()
	return w
}

// Add adds the rows of an answer to the current window.
func (w *Watch) Add(a *pfnamp.Answer) {
	doubts := w.predictor.Doubts(a)
	w.mu.Lock()
	defer w.mu.Unlock()
	w.filling.AddAnswer(a)
	w.filling.doubts = append(w.filling.doubts, doubts...)
	if w.filling.Rows < w.rows {
		return
	}
	w.filling.end = time.Now()
	select {
	case w.full <- w.filling:
	default:
		w.skipped++
	}
	w.filling = &answered{}
}

// Latest returns the last compared window, nil before the first.
func (w *Watch) Latest() *Window {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.latest
}

// Windows returns the number of compared and of skipped windows.
func (w *Watch) Windows() (compared, skipped int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.windows, w.skipped
}

// Close ends the watch. A second call does nothing.
func (w *Watch) Close() {
	w.stop()
	<-w.done
}

// work compares full windows until ctx ends.
func (w *Watch) work(ctx context.Context) error {
	c := &comparison{f: w.predictor.Fitted(), seed: w.seed}
	for {
		var of *answered
		select {
		case of = <-w.full:
		case <-ctx.Done():
			return ctx.Err()
		}
		start := time.Now()
		found, err := c.compare(of)
		if err != nil {
			return err
		}
		w.publish(found, 1)
		took := time.Since(start)
		if c.atFit == nil { // which takes longer
			if c.atFit, err = c.f.HeldDoubts(ctx, w.predictor.Question().Level, w.seed); err != nil {
				return err
			}
			whole := *found
			whole.DoubtAtFit = number(matrix.Median(c.atFit))
			w.publish(&whole, 0)
		}
		select {
		case <-time.After(idle * took):
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// publish shows what was found in so many more windows.
func (w *Watch) publish(found *Window, windows int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.latest, w.windows = found, w.windows+windows
}

// comparison compares windows one after the other.
type comparison struct {
	f     *pfnamp.Fitted
	seed  uint64
	atFit []float64  // doubts of rows of the context, nil until they are known
	last  pfn.Matrix // the rows of the last window
}

// compare makes the figures of a window.
func (c *comparison) compare(of *answered) (*Window, error) {
	context := c.f.ContextRows()
	report, err := Features(c.f.Schema(), context, of.Batch, c.seed)
	w := &Window{Report: report, Martingale: c.bet(context, of.Matrix), End: of.end,
		Doubt: number(matrix.Median(of.doubts)), DoubtAtFit: number(matrix.Median(c.atFit))}
	c.last = of.Matrix
	return w, err
}

// stream is the random stream of the halves of a context.
const stream = 0x5761_7463_6800_0001

// bet learns to tell the last window from a half of the context, and bets that rows look more like
// that window than the other half does. Given the last window, rows of the other half and of this
// window are exchangeable where both come from the same source.
func (c *comparison) bet(context pfn.Training, x pfn.Matrix) evaluate.Number {
	if c.last.Rows == 0 {
		return nan
	}
	order := rand.New(rand.NewPCG(c.seed, stream)).Perm(context.X.Rows)
	half := len(order) / 2
	odds, err := drift.Weigh(context.X.Take(order[:half]), c.last, context.Categorical, c.seed)
	if err != nil { // too few rows
		return nan
	}
	ranks := drift.NewRanks(odds.At(context.X.Take(order[half:])), c.seed)
	var m drift.Martingale
	for _, v := range odds.At(x) {
		m.Add(ranks.Add(v))
	}
	return number(m.Most())
}
