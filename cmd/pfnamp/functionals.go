package main

import (
	"fmt"
	"strings"

	"github.com/pfnamp/pfnamp/amp"
)

// functionalHelp lists the functionals with their meaning, a line each.
func functionalHelp() string {
	var lines strings.Builder
	for _, form := range amp.Forms() {
		fmt.Fprintf(&lines, "   %-26s %s\n", strings.Join(form.Texts, "  "), form.Meaning)
	}
	return lines.String()
}
