package main

import (
	"os"
	"os/exec"
	"testing"
)

func Example() {
	main()
	// Output:
	// mean: 40 (90 % interval 19.2 to 67.6)
	// q0.9: 92.1 (90 % interval 35.3 to 157)
	// p>100: 0.0821 (90 % interval 0 to 0.28)
}

// The example is a program without C.
func TestWithoutC(t *testing.T) {
	cmd := exec.Command("go", "build", "-o", os.DevNull, ".")
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}
