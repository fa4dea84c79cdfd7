package forecast

import (
	"testing"

	"github.com/pfnamp/pfnamp/internal/orttest"
)

func TestMain(m *testing.M) { orttest.Main(m, "^Example") }
