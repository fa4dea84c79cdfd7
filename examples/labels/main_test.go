package main

import (
	"testing"

	"github.com/pfnamp/pfnamp/internal/orttest"
)

func TestMain(m *testing.M) { orttest.Main(m, "^Example") }

func Example() {
	main()
	// Output:
	// studio: probability 0.90 (90 % interval 0.56 to 1.00)
	// family: probability 0.91 (90 % interval 0.71 to 1.00)
}
