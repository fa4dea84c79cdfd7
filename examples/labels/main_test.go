package main

import (
	"testing"

	"github.com/pfnamp/pfnamp/internal/orttest"
)

func TestMain(m *testing.M) { orttest.Main(m, "^Example") }

func Example() {
	main()
	// Output:
	// studio with probability 0.89, which is between 0.46 and 1.00
	// family with probability 0.92, which is between 0.71 and 1.00
}
