package main

import (
	"fmt"
	"io"
	"math"
	"os"
	"sync"
	"time"

	"github.com/pfnamp/pfnamp/internal/panics"
)

const (
	terminalInterval = 100 * time.Millisecond
	terminalPatience = 500 * time.Millisecond // before the first line
	plainInterval    = 30 * time.Second
)

// progress shows on standard error how much of the work is done. A terminal has one line that is
// rewritten, other outputs get a plain line every half minute. The zero value is silent.
type progress struct {
	w        io.Writer
	terminal bool
	doing    string // "reading train.csv"; "" where rows or parts are counted
	unit     string
	total    int64          // of them, or -1
	read     func() float64 // share of the input that was read, where total is -1; may be nil
	start    time.Time

	mu    sync.Mutex
	n     int64
	shown bool          // a line stands on the terminal
	over  chan struct{} // closed by finish
	ended chan struct{} // closed when nothing is shown any more
}

// newProgress returns a progress that is silent when quiet is set and never
// rewrites lines where the environment says CI or NO_COLOR.
func newProgress(w io.Writer, quiet bool) *progress {
	if quiet {
		return &progress{}
	}
	rewrite := terminal(w) && os.Getenv("CI") == "" && os.Getenv("NO_COLOR") == ""
	return &progress{w: behind(w), terminal: rewrite, total: -1}
}

// begin shows lines from now on, until finish. It may be called again then.
func (p *progress) begin() {
	if p.w == nil {
		return
	}
	over, ended := make(chan struct{}), make(chan struct{})
	p.start, p.n, p.over, p.ended = time.Now(), 0, over, ended
	go func() {
		var err error // nobody is there to be told
		defer panics.Catch(&err)
		defer close(ended)
		p.tick(over)
	}()
}

// tick shows a line at every interval.
func (p *progress) tick(over <-chan struct{}) {
	interval, wait := plainInterval, plainInterval
	if p.terminal {
		interval, wait = terminalInterval, terminalPatience
	}
	for {
		select {
		case <-over:
			return
		case <-time.After(wait):
		}
		wait = interval
		p.show()
	}
}

// show writes a line.
func (p *progress) show() {
	p.mu.Lock()
	defer p.mu.Unlock()
	line := "pfnamp: " + p.line(time.Since(p.start))
	if !p.terminal {
		fmt.Fprintln(p.w, line)
		return
	}
	p.shown = true
	fmt.Fprintf(p.w, "\r\x1b[K%s", line)
}

// clear makes room for another line on the terminal.
func (p *progress) clear() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.shown {
		fmt.Fprint(p.w, "\r\x1b[K")
		p.shown = false
	}
}

// count says that n rows or parts are done in all.
func (p *progress) count(n int64) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.n = n
}

// finish ends what begin began.
func (p *progress) finish() {
	if p.over == nil {
		return
	}
	close(p.over)
	<-p.ended
	p.over = nil
	p.clear()
}

// line says what was done in a time, how fast, and how long the rest will take.
func (p *progress) line(elapsed time.Duration) string {
	seconds := elapsed.Seconds()
	if p.doing != "" {
		return fmt.Sprintf("%s, %s", p.doing, duration(seconds))
	}
	share, text := math.NaN(), fmt.Sprintf("%d %s", p.n, p.unit)
	switch {
	case p.total > 0:
		share = float64(p.n) / float64(p.total)
		text = fmt.Sprintf("%d of %d %s", p.n, p.total, p.unit)
	case p.read != nil:
		if share = p.read(); share == share {
			text += fmt.Sprintf(", %.0f %% of the input", 100*share)
		}
	}
	if p.n == 0 {
		return text + ", " + duration(seconds)
	}
	text += ", " + pace(float64(p.n)/seconds, p.unit)
	if share > 0 && share < 1 {
		text += ", " + duration(seconds*(1-share)/share) + " left"
	}
	return text
}

// pace is a rate in words.
func pace(rate float64, unit string) string {
	if rate < 1 {
		return fmt.Sprintf("%s for one of the %s", duration(1/rate), unit)
	}
	if rate < 10 {
		return fmt.Sprintf("%.1f %s/s", rate, unit)
	}
	return fmt.Sprintf("%.0f %s/s", rate, unit)
}

// duration writes a time in the unit that suits it.
func duration(seconds float64) string {
	switch {
	case seconds < 10:
		return fmt.Sprintf("%.1f s", seconds)
	case seconds < 120:
		return fmt.Sprintf("%.0f s", seconds)
	case seconds < 7200:
		return fmt.Sprintf("%.0f min", seconds/60)
	}
	return fmt.Sprintf("%.1f h", seconds/3600)
}
