package tabular

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/pfnamp/pfnamp/internal/must"
)

// Bounds on the reading of one file.
const (
	fileDeadline = raceFactor * 10 * time.Second
	fileMemory   = raceFactor * 500 << 20 // bytes resident at most
)

// childVariable holds the format in the environment of a test process that reads the files
// named on its standard input.
const childVariable = "PFNAMP_TEST_READ"

// A fileResult is what became of a file.
type fileResult struct {
	Path  string
	Rows  int64
	Cells []string // the first cells of each column, joined by |
	Error string
	Typed bool // whether the error is an *Error that names the file
	Peak  int64
	Took  time.Duration
}

func readFile(path string, format Format) (res fileResult) {
	start := time.Now()
	res.Path = path
	err := func() error {
		r, err := Open(path, ReadOptions{Format: format, Delimiter: delimiterFor(format)})
		if err != nil {
			return err
		}
		defer r.Close()
		res.Cells = make([]string, len(r.Names()))
		for {
			b, err := r.Next(context.Background())
			if errors.Is(err, io.EOF) {
				return nil
			}
			if err != nil {
				return err
			}
			for i, c := range b.Record.Columns() {
				if c.Len() != b.Rows() {
					return fmt.Errorf("column of %d rows in a batch of %d", c.Len(), b.Rows())
				}
				for row := range c.Len() {
					text := c.ValueStr(row)
					if res.Rows+int64(row) < 64 && len(text) < 100 {
						res.Cells[i] += text + "|"
					}
				}
			}
			res.Rows += int64(b.Rows())
		}
	}()
	if err != nil {
		var e *Error
		res.Error = err.Error()
		res.Typed = errors.As(err, &e) && e.File == path && strings.HasPrefix(res.Error, path)
	}
	res.Peak, res.Took = peakMemory(), time.Since(start)
	return res
}

// delimiterFor avoids the detection of a delimiter.
func delimiterFor(format Format) rune {
	if format == CSV {
		return ','
	}
	return 0
}

// peakMemory is the largest resident size since the last call, 0 where it cannot be told.
func peakMemory() int64 {
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return 0
	}
	found := regexp.MustCompile(`VmHWM:\s+(\d+) kB`).FindSubmatch(status)
	if found == nil {
		return 0
	}
	kb, _ := strconv.ParseInt(string(found[1]), 10, 64)
	_ = os.WriteFile("/proc/self/clear_refs", []byte("5"), 0)
	return kb << 10
}

// TestReadChild is the child process of readFiles; in the parent it does nothing.
func TestReadChild(t *testing.T) {
	name := os.Getenv(childVariable)
	if name == "" {
		t.Skip("the child process of other tests")
	}
	format, err := ParseFormat(name)
	must.Succeed(t, err)
	in := bufio.NewScanner(os.Stdin)
	watch := time.AfterFunc(fileDeadline, func() { os.Exit(1) })
	for in.Scan() {
		watch.Reset(fileDeadline)
		line, err := json.Marshal(readFile(in.Text(), format))
		must.Succeed(t, err)
		fmt.Fprintf(os.Stderr, "\n%s\n", line)
	}
}

// readFiles reads files in a child process, so that one that kills the process, hangs or takes
// too much memory fails the test by name.
func readFiles(t *testing.T, format Format, paths []string) map[string]fileResult {
	results := make(map[string]fileResult)
	for len(paths) > 0 {
		done := readSome(t, format, paths, results)
		if done < len(paths) {
			t.Errorf("%s: kills the process or takes longer than %s", paths[done], fileDeadline)
			done++
		}
		paths = paths[done:]
	}
	for path, res := range results {
		if res.Peak > fileMemory {
			t.Errorf("%s: takes %d MiB", path, res.Peak>>20)
		}
		if res.Error != "" && (!res.Typed || strings.Contains(res.Error, "\n")) {
			t.Errorf("%s: error is not one line with the name of the file: %s", path, res.Error)
		}
	}
	return results
}

// readSome reads files until one kills the child, and returns how many were read.
func readSome(t *testing.T, format Format, paths []string, results map[string]fileResult) int {
	child := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestReadChild$")
	child.Env = append(os.Environ(), childVariable+"="+format.String())
	child.Stdin = strings.NewReader(strings.Join(paths, "\n"))
	var out bytes.Buffer
	child.Stderr = &out
	_ = child.Run() // what it has not read tells
	done := 0
	for line := range strings.SplitSeq(out.String(), "\n") {
		var res fileResult
		if strings.HasPrefix(line, "{") && json.Unmarshal([]byte(line), &res) == nil {
			results[res.Path] = res
			done++
		}
	}
	return done
}
