// Package self has what the program knows of itself, and runs it again in a process of its own.
package self

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"runtime/debug"
	"strings"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/pfnamp/pfnamp/cmd/pfnamp/internal/fault"
)

// Bounds of a child process.
const (
	Grace      = 15 * time.Second // to end by itself, once it was told to
	mostOutput = 16 << 20         // bytes of its standard output
	mostWords  = 4 << 10          // bytes of its standard error
)

// Start prepares this program to run again with other arguments. When ctx ends, the child gets
// SIGTERM and, if it goes on, SIGKILL; Run waits for it either way.
func Start(ctx context.Context, args ...string) (*exec.Cmd, error) {
	program, err := os.Executable()
	if err != nil { // without /proc
		if program, err = exec.LookPath(os.Args[0]); err != nil {
			return nil, fmt.Errorf("finding this program: %w", err)
		}
	}
	child := exec.CommandContext(ctx, program, args...)
	child.Args[0] = "pfnamp"
	child.Cancel = func() error { return child.Process.Signal(syscall.SIGTERM) }
	child.WaitDelay = Grace
	return child, nil
}

// Crashed says that a child process ended in a way that no error explains.
func Crashed(doing, how string) error {
	return fault.New(fault.Model, fmt.Sprintf("%s crashed: %s", doing, how),
		"this onnxruntime cannot run the graphs of this model: use another model")
}

// Run runs a command of this program with --json in a child process and returns its standard
// output; doing says what it does, such as "replaying model x". Its standard input ends when this
// process does. The error is what the child reported, the cause of ctx or a crash.
func Run(ctx context.Context, doing string, args ...string) ([]byte, error) {
	child, err := Start(ctx, append([]string{args[0], "--json"}, args[1:]...)...)
	if err != nil {
		return nil, err
	}
	out, words := &firstBytes{most: mostOutput}, &firstBytes{most: mostWords}
	child.Stdout, child.Stderr = out, words
	alive, err := child.StdinPipe() // closed by Wait, or by the end of this process
	if err != nil {
		return nil, err
	}
	defer alive.Close()
	err = child.Run()
	switch cause := context.Cause(ctx); {
	case err == nil:
		return out.Bytes(), nil
	case cause != nil:
		return nil, cause
	}
	var exit *exec.ExitError
	if !errors.As(err, &exit) {
		return nil, fmt.Errorf("%s in a process of its own: %w", doing, err)
	}
	told := &fault.Error{}
	if json.Unmarshal(words.Bytes(), told) == nil && told.Code == exit.ExitCode() {
		return nil, told
	}
	return nil, Crashed(doing, lastWords(exit, words.String()))
}

func lastWords(exit *exec.ExitError, words string) string {
	how := exit.Error()
	if status, ok := exit.Sys().(syscall.WaitStatus); ok && status.Signal() == syscall.SIGKILL {
		how += ", perhaps because the system is out of memory"
	}
	for line := range strings.Lines(words) { // what the runtime of Go says first
		if line = strings.TrimSpace(line); line != "" {
			return how + ": " + line
		}
	}
	return how
}

// firstBytes keeps the beginning of what is written.
type firstBytes struct {
	bytes.Buffer
	most int
}

// Write takes everything and keeps what there is room for.
func (b *firstBytes) Write(p []byte) (int, error) {
	b.Buffer.Write(p[:min(len(p), b.most-b.Len())])
	return len(p), nil
}

// Patience is how long a signal waits for the program to clean up. What keeps it longer is a system
// call that the system does not end, such as writing to a pipe that nobody reads.
const Patience = 20 * time.Second

// patienceKey is the key of a context's *atomic.Int64: a patience that is longer.
type patienceKey struct{}

// WithPatience returns a context in which jobs can extend the patience, which the function tells.
func WithPatience(parent context.Context) (context.Context, func() time.Duration) {
	longer := &atomic.Int64{}
	return context.WithValue(parent, patienceKey{}, longer), func() time.Duration {
		return max(Patience, time.Duration(longer.Load()))
	}
}

// ExtendPatience lets a job clean up for longer.
func ExtendPatience(ctx context.Context, to time.Duration) {
	if longer, ok := ctx.Value(patienceKey{}).(*atomic.Int64); ok {
		longer.Store(int64(to))
	}
}

// Method names the version of the method that the program implements.
const Method = "Nagler & Rügamer, arXiv 2505.11325v4"

// Version is the module version, or the revision of a build from source.
func Version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "unknown"
	}
	if info.Main.Version == "" {
		return "devel"
	}
	return strings.Trim(info.Main.Version, "()")
}

// Revision is the commit of a build in a clone, with a remark if files were changed; "" if it is
// not known.
func Revision() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return ""
	}
	found := map[string]string{}
	for _, setting := range info.Settings {
		found[setting.Key] = setting.Value
	}
	commit := found["vcs.revision"]
	if commit != "" && found["vcs.modified"] == "true" {
		commit += ", with changes"
	}
	return commit
}
