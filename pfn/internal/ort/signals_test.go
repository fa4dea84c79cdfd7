//go:build cgo && linux

package ort

import (
	"os"
	"os/signal"
	"syscall"
	"testing"
	"time"
	"unsafe"
)

// kernelAction is the kernel's struct sigaction, large enough for every processor.
type kernelAction [8]uintptr

func getAction(t *testing.T, s syscall.Signal) (a kernelAction) {
	t.Helper()
	_, _, errno := syscall.RawSyscall6(syscall.SYS_RT_SIGACTION, uintptr(s), 0,
		uintptr(unsafe.Pointer(&a)), 8, 0, 0)
	if errno != 0 {
		t.Fatal(errno)
	}
	return a
}

func setAction(t *testing.T, s syscall.Signal, a kernelAction) {
	t.Helper()
	_, _, errno := syscall.RawSyscall6(syscall.SYS_RT_SIGACTION, uintptr(s),
		uintptr(unsafe.Pointer(&a)), 0, 8, 0, 0)
	if errno != 0 {
		t.Fatal(errno)
	}
}

// TestKeepingSignals does what the CUDA provider does: it replaces the handler of SIGUSR1.
func TestKeepingSignals(t *testing.T) {
	heard := make(chan os.Signal, 1)
	signal.Notify(heard, syscall.SIGUSR1)
	defer signal.Stop(heard)
	before := getAction(t, syscall.SIGUSR1)
	changed := keepingSignals(func() {
		setAction(t, syscall.SIGUSR1, kernelAction{}) // SIG_DFL: the process would die
	})
	if changed != 1<<syscall.SIGUSR1 {
		t.Errorf("changed signals are %b", changed)
	}
	if after := getAction(t, syscall.SIGUSR1); after[0] != before[0] {
		t.Errorf("handler is %x, was %x", after[0], before[0])
	}
	if err := syscall.Kill(os.Getpid(), syscall.SIGUSR1); err != nil {
		t.Fatal(err)
	}
	select {
	case <-heard:
	case <-time.After(5 * time.Second):
		t.Error("the signal was not delivered")
	}
	if changed := keepingSignals(func() {}); changed != 0 {
		t.Errorf("changed signals are %b", changed)
	}
	ignored := keepingSignals(func() { signal.Ignore(syscall.SIGUSR2) })
	defer signal.Reset(syscall.SIGUSR2)
	if ignored != 0 {
		t.Errorf("what Go itself changed was put back: %b", ignored)
	}
}
