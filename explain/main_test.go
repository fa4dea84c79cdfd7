package explain

import (
	"testing"

	"github.com/pfnamp/pfnamp"
	"github.com/pfnamp/pfnamp/internal/must"
	"github.com/pfnamp/pfnamp/internal/orttest"
	"github.com/pfnamp/pfnamp/pfn"
)

func TestMain(m *testing.M) { orttest.Main(m, "^Example") }

var shared = map[string]*pfn.Model{}

// opened is the embedded model of a name, which all tests share.
func opened(t testing.TB, name string) *pfn.Model {
	t.Helper()
	if shared[name] == nil {
		m, err := pfnamp.Open(name, pfn.Options{Library: orttest.Library(t), Refit: true})
		must.Succeed(t, err)
		shared[name] = m
	}
	return shared[name]
}

// fitted is a table that the embedded model of a task has read.
func fitted(t testing.TB, model string, rows any) *pfnamp.Fitted {
	t.Helper()
	return fittedBy(t, model, rows, pfnamp.FitOptions{Target: "Y"})
}

// fittedBy is fitted with options.
func fittedBy(t testing.TB, model string, rows any, opt pfnamp.FitOptions) *pfnamp.Fitted {
	t.Helper()
	table, err := pfnamp.Table("lines", rows)
	must.Succeed(t, err)
	f, err := pfnamp.Fit(t.Context(), opened(t, model), table, opt)
	must.Succeed(t, err)
	t.Cleanup(func() { f.Close() })
	return f
}
