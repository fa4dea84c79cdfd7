// Package progress tells on standard error how much of a job is done.
package progress

import (
	"fmt"
	"io"
	"math"
	"os"
	"sync"
	"time"

	"github.com/pfnamp/pfnamp/cmd/pfnamp/internal/stdio"
	"github.com/pfnamp/pfnamp/internal/panics"
)

const (
	terminalInterval = 100 * time.Millisecond
	terminalPatience = 500 * time.Millisecond // before the first line
	plainInterval    = 30 * time.Second
)

// Progress shows on standard error how much of the work is done. A terminal has one line that is
// rewritten, other outputs get a plain line every half minute. The zero value is silent.
type Progress struct {
	w        io.Writer
	terminal bool
	Doing    string // "reading train.csv"; "" where rows or parts are counted
	Unit     string
	Total    int64          // of them, or -1
	Read     func() float64 // share of the input that was read, where Total is -1; may be nil
	start    time.Time

	mu    sync.Mutex
	n     int64
	shown bool          // a line stands on the terminal
	over  chan struct{} // closed by Finish
	ended chan struct{} // closed when nothing is shown any more
}

// New returns a progress that is silent when quiet is set and never
// rewrites lines where the environment says CI or NO_COLOR.
func New(w io.Writer, quiet bool) *Progress {
	if quiet {
		return &Progress{}
	}
	rewrite := stdio.Terminal(w) && os.Getenv("CI") == "" && os.Getenv("NO_COLOR") == ""
	return &Progress{w: stdio.Behind(w), terminal: rewrite, Total: -1}
}

// Begin shows lines from now on, until Finish. It may be called again then.
func (p *Progress) Begin() {
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

func (p *Progress) tick(over <-chan struct{}) {
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

func (p *Progress) show() {
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

// Clear makes room for another line on the terminal.
func (p *Progress) Clear() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.shown {
		fmt.Fprint(p.w, "\r\x1b[K")
		p.shown = false
	}
}

// Count says that n rows or parts are done in all.
func (p *Progress) Count(n int64) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.n = n
}

// Finish ends what Begin began.
func (p *Progress) Finish() {
	if p.over == nil {
		return
	}
	close(p.over)
	<-p.ended
	p.over = nil
	p.Clear()
}

// line says what was done in a time, how fast, and how long the rest will take.
func (p *Progress) line(elapsed time.Duration) string {
	seconds := elapsed.Seconds()
	if p.Doing != "" {
		return fmt.Sprintf("%s, %s", p.Doing, Duration(seconds))
	}
	share, text := math.NaN(), fmt.Sprintf("%d %s", p.n, p.Unit)
	switch {
	case p.Total > 0:
		share = float64(p.n) / float64(p.Total)
		text = fmt.Sprintf("%d of %d %s", p.n, p.Total, p.Unit)
	case p.Read != nil:
		if share = p.Read(); share == share {
			text += fmt.Sprintf(", %.0f %% of the input", 100*share)
		}
	}
	if p.n == 0 {
		return text + ", " + Duration(seconds)
	}
	text += ", " + pace(float64(p.n)/seconds, p.Unit)
	if share > 0 && share < 1 {
		text += ", " + Duration(seconds*(1-share)/share) + " left"
	}
	return text
}

func pace(rate float64, unit string) string {
	if rate < 1 {
		return fmt.Sprintf("%s for one of the %s", Duration(1/rate), unit)
	}
	if rate < 10 {
		return fmt.Sprintf("%.1f %s/s", rate, unit)
	}
	return fmt.Sprintf("%.0f %s/s", rate, unit)
}

// Duration writes a time in the unit that suits it.
func Duration(seconds float64) string {
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
