package hosted

import (
	"testing"

	"github.com/pfnamp/pfnamp"
	"github.com/pfnamp/pfnamp/internal/orttest"
	"github.com/pfnamp/pfnamp/pfn"
	"github.com/pfnamp/pfnamp/tabular"
)

func TestMain(m *testing.M) { orttest.Main(m, "") }

// opened is a model and a table for it.
func opened(t *testing.T) (*pfn.Model, *tabular.Table) {
	t.Helper()
	m, err := pfnamp.Open("../../testdata/tiny", pfn.Options{Library: orttest.Library(t)})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { m.Close() })
	var rows []map[string]any
	for i := range 60 {
		rows = append(rows, map[string]any{"area": 20 + i*i%37, "price": 60 + i*7%11})
	}
	table, err := pfnamp.Table("flats", rows)
	if err != nil {
		t.Fatal(err)
	}
	return m, table
}

// The cache forgets what was not used for longest, closes it when nobody uses it, and no other.
func TestContextCache(t *testing.T) {
	model, table := opened(t)
	fit := func() *pfnamp.Fitted {
		f, err := pfnamp.Fit(t.Context(), model, table, pfnamp.FitOptions{Target: "price"})
		if err != nil {
			t.Fatal(err)
		}
		return f
	}
	probe := newCache(1 << 40)
	first, err := probe.add(fit())
	if err != nil {
		t.Fatal(err)
	}
	c := newCache(2*first.bytes + first.bytes/2) // room for two
	var all []*kept
	for range 3 {
		k, err := c.add(fit())
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, k)
		if len(all) == 2 { // the first one is used again
			c.release(c.take(all[0].id))
		}
	}
	if c.take(all[1].id) != nil || c.take(all[0].id) != all[0] || c.order.Len() != 2 {
		t.Error("another one than the least recently used was forgotten")
	}
	if err := c.release(all[1]); err != nil || all[1].fitted.Close() == nil {
		t.Errorf("not closed by its last user: %v", err)
	}
	c.close()
	if c.bytes != 0 || all[0].users == 0 {
		t.Errorf("%d bytes, %d users", c.bytes, all[0].users)
	}
}
