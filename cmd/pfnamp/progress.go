package main

import (
	"fmt"
	"io"
	"os"
	"time"
)

const (
	terminalInterval = 100 * time.Millisecond
	plainInterval    = 30 * time.Second
)

// progress tells on standard error how many rows are done: one line that is
// rewritten on a terminal, one plain line every half minute elsewhere.
// The zero value is silent.
type progress struct {
	w        io.Writer
	terminal bool
	start    time.Time
	last     time.Time
	total    int64 // rows expected, or -1
	unit     string
}

// newProgress returns a progress that is silent when quiet is set and never
// rewrites lines where the environment says CI or NO_COLOR.
func newProgress(w io.Writer, quiet bool, total int64) *progress {
	if quiet {
		return &progress{}
	}
	now := time.Now()
	rewrite := terminal(w) && os.Getenv("CI") == "" && os.Getenv("NO_COLOR") == ""
	return &progress{w: behind(w), terminal: rewrite, start: now, last: now, total: total,
		unit: "rows"}
}

// rows reports that n rows are done in all.
func (p *progress) rows(n int64) {
	now := time.Now()
	interval := plainInterval
	if p.terminal {
		interval = terminalInterval
	}
	if p.w == nil || now.Sub(p.last) < interval {
		return
	}
	p.last = now
	line := fmt.Sprintf("pfnamp: %s %s, %s %s/s", p.fraction(n), p.unit, p.rate(n), p.unit)
	if p.terminal {
		fmt.Fprintf(p.w, "\r\x1b[K%s", line)
		return
	}
	fmt.Fprintln(p.w, line)
}

// finish clears the line that rows left on a terminal.
func (p *progress) finish() {
	if p.w != nil && p.terminal {
		fmt.Fprint(p.w, "\r\x1b[K")
	}
}

func (p *progress) fraction(n int64) string {
	if p.total < 0 {
		return fmt.Sprint(n)
	}
	return fmt.Sprintf("%d of %d", n, p.total)
}

func (p *progress) rate(n int64) string {
	rate := float64(n) / max(time.Since(p.start).Seconds(), 1e-9)
	if rate < 10 {
		return fmt.Sprintf("%.2g", rate)
	}
	return fmt.Sprintf("%.0f", rate)
}
