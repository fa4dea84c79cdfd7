package tabular

import (
	"strings"
	"testing"

	"github.com/pfnamp/pfnamp/tabular/internal/parquetguard"
)

func TestQuoted(t *testing.T) {
	if got := quote(strings.Repeat("é", 61)); got != `"`+strings.Repeat("é", 60)+`"...` {
		t.Errorf("got %s", got)
	}
	names := []string{"a", "b\n", "c", "d", "e", "f", "g"}
	if got := listed(names); got != `"a", "b\n", "c", "d", "e", and 2 more` {
		t.Errorf("got %s", got)
	}
}

// TestLimitsAgree checks that all formats may have as many columns.
func TestLimitsAgree(t *testing.T) {
	if parquetguard.MaxColumns != maxColumns {
		t.Errorf("%d columns of a Parquet file, %d of others", parquetguard.MaxColumns, maxColumns)
	}
}
