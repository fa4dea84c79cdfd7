//go:build unix

package main

import (
	"os"
	"syscall"
	"testing"

	"github.com/pfnamp/pfnamp/cmd/pfnamp/internal/fault"
)

// A hangup reloads and does not end the server: its requests go on.
func TestServeHangup(t *testing.T) {
	saved(t)
	address, logged, stop := startServe(t, "y.state --chains 10 --reload 0s")
	version := versionsAt(t, address, "y")
	if err := syscall.Kill(os.Getpid(), syscall.SIGHUP); err != nil {
		t.Fatal(err)
	}
	logged("msg=reloaded")
	if got := versionsAt(t, address, "y"); got[0] != version[0] {
		t.Errorf("version %v, want %v", got, version)
	}
	if status := stop(); status != fault.ExitOK {
		t.Errorf("exit status %d", status)
	}
}
