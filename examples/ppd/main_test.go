package main

import (
	"os"
	"os/exec"
	"testing"
)

func Example() {
	main()
	// Output:
	// mean is 40, and between 19.2 and 67.6 with probability 0.9
	// q0.9 is 92.1, and between 35.3 and 157 with probability 0.9
	// p>100 is 0.0821, and between 0 and 0.28 with probability 0.9
}

// The example is a program without C.
func TestWithoutC(t *testing.T) {
	cmd := exec.Command("go", "build", "-o", os.DevNull, ".")
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}
