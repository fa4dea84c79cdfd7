package main

import (
	"testing"

	"github.com/pfnamp/pfnamp/internal/orttest"
)

func TestMain(m *testing.M) { orttest.Main(m, "^Example") }

func Example() {
	main()
	// Output:
	// studio: probability 0.89 (90 % interval 0.55 to 1.00)
	// family: probability 0.91 (90 % interval 0.72 to 1.00)
}
