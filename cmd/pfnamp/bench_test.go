package main

import (
	"bytes"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"syscall"
	"testing"

	"github.com/pfnamp/pfnamp/cmd/pfnamp/internal/fault"
	"github.com/pfnamp/pfnamp/cmd/pfnamp/internal/stdio"
	"github.com/pfnamp/pfnamp/internal/orttest"
)

// BenchmarkProgram runs the program that `make build` made on the tables of
// `make demo`, and on their query rows repeated to 1,200, a process each, and
// reports its processor time and peak memory.
func BenchmarkProgram(b *testing.B) {
	build := filepath.Join("..", "..", "build")
	program, train := filepath.Join(build, "bin", "pfnamp"), filepath.Join(build, "demo", "train.csv")
	query, err := os.ReadFile(filepath.Join(build, "demo", "test.csv"))
	if _, missing := os.Stat(program); missing != nil || err != nil {
		b.Skip("run `make demo` first")
	}
	for _, rows := range []int{88, 1200} {
		test := filepath.Join(b.TempDir(), "test.csv")
		if err := os.WriteFile(test, repeated(query, rows), 0o600); err != nil {
			b.Fatal(err)
		}
		b.Run("rows="+strconv.Itoa(rows), func(b *testing.B) {
			var used syscall.Rusage
			for b.Loop() {
				cmd := exec.Command(program, "predict", train, test, "--target", "progression",
					"--functional", "mean,q0.9,p>150", "--quiet", "-o", os.DevNull, "--to", "csv")
				if out, err := cmd.CombinedOutput(); err != nil {
					b.Fatalf("%v\n%s", err, out)
				}
				used = *cmd.ProcessState.SysUsage().(*syscall.Rusage)
			}
			cpu := used.Utime.Nano() + used.Stime.Nano()
			b.ReportMetric(float64(cpu)/1e6, "cpu-ms")
			b.ReportMetric(float64(used.Maxrss)/1024, "peak-MiB")
		})
	}
}

// BenchmarkStart runs the program that `make build` made on a saved state, a process each, over no
// rows and over one, and reports its processor time.
func BenchmarkStart(b *testing.B) {
	build := filepath.Join("..", "..", "build")
	program, train := filepath.Join(build, "bin", "pfnamp"), filepath.Join(build, "demo", "train.csv")
	query, err := os.ReadFile(filepath.Join(build, "demo", "test.csv"))
	if _, missing := os.Stat(program); missing != nil || err != nil {
		b.Skip("run `make demo` first")
	}
	state := filepath.Join(b.TempDir(), "demo.state")
	used(b, program, "fit", train, "--target", "progression", "--quiet", "-o", state)
	for _, rows := range []int{0, 1} {
		test := filepath.Join(b.TempDir(), "test.csv")
		if err := os.WriteFile(test, repeated(query, rows), 0o600); err != nil {
			b.Fatal(err)
		}
		for _, posterior := range []string{"auto", "paper", "limit"} {
			b.Run("rows="+strconv.Itoa(rows)+"/"+posterior, func(b *testing.B) {
				var cpu float64
				for b.Loop() {
					seconds, _ := used(b, program, "predict", state, test, "--posterior", posterior,
						"--functional", "mean,q0.9", "--quiet", "-o", os.DevNull, "--to", "csv")
					cpu += seconds
				}
				b.ReportMetric(1e3*cpu/float64(b.N), "cpu-ms")
			})
		}
	}
}

// BenchmarkPredict is the first job of BenchmarkProgram in this process, so
// that `-cpuprofile` shows the share of onnxruntime under runtime.cgocall.
func BenchmarkPredict(b *testing.B) {
	demo := filepath.Join("..", "..", "build", "demo")
	if _, err := os.Stat(filepath.Join(demo, "train.csv")); err != nil {
		b.Skip("run `make demo` first")
	}
	b.Setenv("PFNAMP_ORT_LIB", orttest.Library(b))
	args := []string{"pfnamp", "predict", filepath.Join(demo, "train.csv"),
		filepath.Join(demo, "test.csv"), "--target", "progression",
		"--functional", "mean,q0.9,p>150", "--quiet"}
	for b.Loop() {
		var message bytes.Buffer
		if status := program(b.Context(), stdio.Streams{Out: io.Discard, Err: &message},
			args); status != fault.ExitOK {
			b.Fatal(&message)
		}
	}
}

// repeated is a CSV with the header of text and so many of its rows, in turn.
func repeated(text []byte, rows int) []byte {
	lines := bytes.SplitAfter(bytes.TrimSpace(text), []byte("\n"))
	out := bytes.Clone(lines[0])
	for i := range rows {
		out = append(out, bytes.TrimSpace(lines[1+i%(len(lines)-1)])...)
		out = append(out, '\n')
	}
	return out
}
