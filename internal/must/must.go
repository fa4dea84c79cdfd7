// Package must has what nearly every test says of the steps before the one that it is about, and of
// words in errors and texts.
package must

import (
	"strings"
	"testing"
)

// Succeed ends a test whose preparation failed with err.
func Succeed(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// Fail fails a test unless err, of the case called what, is an error that holds all words.
func Fail(t testing.TB, what any, err error, words ...string) {
	t.Helper()
	if err == nil {
		t.Errorf("%v: no error, want one with %q", what, words)
		return
	}
	Hold(t, what, err.Error(), words...)
}

// Hold fails a test unless the text of the case called what holds all words.
func Hold(t testing.TB, what any, text string, words ...string) {
	t.Helper()
	for _, word := range words {
		if !strings.Contains(text, word) {
			t.Errorf("%v: no %q in\n%.2000s", what, word, text)
		}
	}
}
