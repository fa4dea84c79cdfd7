package main

import (
	"fmt"
	"strings"
	"testing"

	"github.com/pfnamp/pfnamp/cmd/pfnamp/internal/fault"
)

// TestExitHelpIsComplete compares the help text with the table of its page.
func TestExitHelpIsComplete(t *testing.T) {
	page := repository(t, "docs/reference/exit-statuses.md")
	for _, status := range []int{fault.ExitOK, fault.ExitFailed, fault.ExitUsage, fault.ExitInput,
		fault.ExitModel, fault.ExitCheck,
		fault.ExitLimit, fault.ExitInterrupted, fault.ExitTerminated} {
		number := fmt.Sprint(status)
		if !strings.Contains(fault.ExitHelp, number) || !strings.Contains(page, number) {
			t.Errorf("exit status %s is missing in the help or on its page", number)
		}
	}
}
