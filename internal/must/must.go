// Package must has what nearly every test says of the steps before the one that it is about.
package must

import "testing"

// Succeed ends a test whose preparation failed with err.
func Succeed(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
