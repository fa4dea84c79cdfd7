package pfn

import (
	"fmt"
	"os"
	"testing"

	"github.com/pfnamp/pfnamp/internal/must"
	"github.com/pfnamp/pfnamp/internal/orttest"
	"github.com/pfnamp/pfnamp/models"
)

// TestMain closes what embedded has opened, and looks for native handles that no test has freed.
func TestMain(m *testing.M) {
	orttest.Main(m, "^Example$")
	for _, shared := range opened {
		shared.Close()
	}
	if n := LiveHandles(); n != 0 {
		fmt.Fprintf(os.Stderr, "%d native handles are alive after all tests\n", n)
		os.Exit(1)
	}
}

// opened are the models that embedded returns, by name.
var opened = map[string]*Model{}

// embedded is the embedded model of a name, for all tests that do not close it.
func embedded(t testing.TB, name string) *Model {
	t.Helper()
	if opened[name] == nil {
		b, err := models.Find(name)
		must.Succeed(t, err)
		m, err := Open(b, Options{Library: orttest.Library(t), Refit: true})
		must.Succeed(t, err)
		opened[name] = m
	}
	return opened[name]
}
