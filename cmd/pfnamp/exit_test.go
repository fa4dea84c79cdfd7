package main

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"syscall"
	"testing"

	"github.com/pfnamp/pfnamp/models"
	"github.com/pfnamp/pfnamp/pfn"
	"github.com/pfnamp/pfnamp/tabular"
)

func TestExitStatus(t *testing.T) {
	for _, c := range []struct {
		err  error
		want int
	}{
		{errors.New("disk on fire"), exitFailed},
		{&usageError{msg: "no"}, exitUsage},
		{&tabular.Error{File: "a.csv", Msg: "no"}, exitInput},
		{&tabular.Error{File: "a.csv", Msg: "no", Limit: true}, exitLimit},
		{&outputError{&tabular.Error{File: "out.csv", Msg: "no"}}, exitFailed},
		{&pfn.LimitError{What: "rows", Got: 9, Min: 2, Max: 5}, exitLimit},
		{&pfn.LimitError{What: "rows", Got: 1, Min: 2, Max: 5}, exitInput},
		{&pfn.MemoryError{Rows: 9}, exitLimit},
		{&limitError{err: errors.New("no")}, exitLimit},
		{&pfn.InputError{Msg: "no"}, exitInput},
		{&models.Error{Msg: "no"}, exitModel},
		{&pfn.LibraryError{}, exitModel},
		{&pfn.ModelError{Msg: "no"}, exitModel},
		{&pfn.NoDirectError{}, exitModel},
		{&pfn.StateError{Msg: "no"}, exitInput},
		{&pfn.StateError{Msg: "no", Other: true}, exitModel},
		{&runtimeError{"no"}, exitModel},
		{&checkError{"no"}, exitCheck},
	} {
		wrapped := fmt.Errorf("doing: %w", c.err)
		if got := classify(t.Context(), wrapped).Code; got != c.want {
			t.Errorf("%T: exit status %d, want %d", c.err, got, c.want)
		}
	}
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(signalError{syscall.SIGTERM})
	if got := classify(ctx, errors.New("stopped")).Code; got != exitTerminated {
		t.Errorf("SIGTERM: exit status %d", got)
	}
}

// TestExitHelpIsComplete compares the help text with the table of its page.
func TestExitHelpIsComplete(t *testing.T) {
	page := repository(t, "docs/reference/exit-statuses.md")
	for _, status := range []int{exitOK, exitFailed, exitUsage, exitInput, exitModel, exitCheck,
		exitLimit, exitInterrupted, exitTerminated} {
		number := fmt.Sprint(status)
		if !strings.Contains(exitHelp, number) || !strings.Contains(page, number) {
			t.Errorf("exit status %s is missing in the help or on its page", number)
		}
	}
}
