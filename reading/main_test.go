package reading

import (
	"testing"

	"github.com/pfnamp/pfnamp/internal/must"
	"github.com/pfnamp/pfnamp/internal/orttest"
	"github.com/pfnamp/pfnamp/models"
	"github.com/pfnamp/pfnamp/pfn"
)

func TestMain(m *testing.M) { orttest.Main(m, "^Example") }

// open opens a bundle with so many members, 0 for all.
func open(t *testing.T, name string, members int) *pfn.Model {
	t.Helper()
	bundle, err := models.Find(name)
	must.Succeed(t, err)
	m, err := pfn.Open(bundle, pfn.Options{Library: orttest.Library(t), Members: members})
	must.Succeed(t, err)
	t.Cleanup(func() { m.Close() })
	return m
}
