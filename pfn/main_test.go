package pfn

import (
	"fmt"
	"os"
	"testing"

	"github.com/pfnamp/pfnamp/internal/must"
	"github.com/pfnamp/pfnamp/internal/orttest"
)

// TestMain closes what embedded has opened, and looks for native handles that no test has freed.
func TestMain(m *testing.M) {
	orttest.Main(m, "^Example$")
	if opened != nil {
		opened.Close()
	}
	if n := LiveHandles(); n != 0 {
		fmt.Fprintf(os.Stderr, "%d native handles are alive after all tests\n", n)
		os.Exit(1)
	}
}

// opened is what embedded returns, or nil.
var opened *Model

// embedded is one model of the bundle for all tests that do not close it.
func embedded(t testing.TB) *Model {
	t.Helper()
	if opened == nil {
		m, err := Open(bundle(t), Options{Library: orttest.Library(t), Refit: true})
		must.Succeed(t, err)
		opened = m
	}
	return opened
}
