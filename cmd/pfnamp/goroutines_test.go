package main

import (
	"regexp"
	"strings"
	"testing"
)

// started is the beginning of a goroutine: a go statement, or a call of a method Go, with what it
// runs up to the third line.
var started = regexp.MustCompile(`(?m)(?:^\s*go |\.Go\()(?:.*\n){3}`)

// TestGoroutinesCatchPanics: what runs in a goroutine of its own turns a panic into an error, by
// panics.Job or panics.Catch. A panic anywhere else reaches run, which does the same.
func TestGoroutinesCatchPanics(t *testing.T) {
	found := 0
	for name := range sources(t) {
		if strings.HasPrefix(name, "examples/") { // programs of users, who have no internal packages
			continue
		}
		for _, text := range started.FindAllString(repository(t, name), -1) {
			if found++; !strings.Contains(text, "panics.") && !strings.Contains(text, "Catch(") {
				t.Errorf("%s: a panic in this goroutine ends the program; see internal/panics:\n%s", name, text)
			}
		}
	}
	if found < 10 {
		t.Errorf("only %d goroutines were found", found)
	}
}
