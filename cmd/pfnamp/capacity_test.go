package main

import (
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/pfnamp/pfnamp/internal/orttest"
)

// BenchmarkCapacity measures what the table of docs/batch.md is made of, with the program that `make
// build` made and one processor: query rows per second of processor time beyond those of the start,
// the peak memory of a process, and the bytes of a saved state for every row of its context.
//
//	go test ./cmd/pfnamp -run '^$' -bench Capacity -benchtime 1x
func BenchmarkCapacity(b *testing.B) {
	program := filepath.Join("..", "..", "build", "bin", "pfnamp")
	if _, err := os.Stat(program); err != nil {
		b.Skip("run `make build` first")
	}
	for _, size := range [][2]int{{300, 10}, {1000, 20}} {
		rows, features := size[0], size[1]
		dir := b.TempDir()
		state := filepath.Join(dir, "y.state")
		table := func(name string, rows int) string {
			path := filepath.Join(dir, name)
			if err := os.WriteFile(path, wavy(rows, features), 0o600); err != nil {
				b.Fatal(err)
			}
			return path
		}
		used(b, program, "fit", table("train.csv", rows), "-y", "y", "-q", "-o", state)
		info, err := os.Stat(state)
		if err != nil {
			b.Fatal(err)
		}
		few, many := table("few.csv", 256), table("many.csv", 256+2048)
		for _, asked := range []string{"q0.9", "p>1", "mean"} {
			for _, posterior := range []string{"auto", "paper"} {
				b.Run(fmt.Sprintf("%dx%d/%s/%s", rows, features, asked, posterior), func(b *testing.B) {
					var seconds, peak float64
					for b.Loop() {
						args := []string{"predict", state, "-f", asked, "--posterior", posterior, "--cpus", "1",
							"-q", "-o", os.DevNull, "--to", "csv"}
						start, _ := used(b, program, append(args, few)...)
						all, most := used(b, program, append(args, many)...)
						seconds, peak = seconds+all-start, max(peak, most)
					}
					b.ReportMetric(2048*float64(b.N)/seconds, "rows/core-s")
					b.ReportMetric(peak, "peak-MiB")
					b.ReportMetric(float64(info.Size())/1024/float64(rows), "state-KiB/row")
				})
			}
		}
	}
}

// wavy is a CSV of so many rows of features x0, x1, ... and a target y.
func wavy(rows, features int) []byte {
	var text strings.Builder
	for j := range features {
		fmt.Fprintf(&text, "x%d,", j)
	}
	text.WriteString("y\n")
	for i := range rows {
		y := 0.0
		for j := range features {
			x := math.Sin(float64(i*(j+3)) + float64(i*i%97))
			y += x / float64(j+1)
			text.WriteString(strconv.FormatFloat(x, 'g', 8, 64) + ",")
		}
		text.WriteString(strconv.FormatFloat(y+0.1*math.Cos(float64(7*i)), 'g', 8, 64) + "\n")
	}
	return []byte(text.String())
}

// used runs the program to its end and returns its processor time in seconds and its peak memory in
// MiB.
func used(b *testing.B, program string, args ...string) (seconds, peak float64) {
	b.Helper()
	cmd := exec.Command(program, args...)
	cmd.Env = append(os.Environ(), "PFNAMP_ORT_LIB="+orttest.Library(b))
	if out, err := cmd.CombinedOutput(); err != nil {
		b.Fatalf("%v\n%s", err, out)
	}
	most := cmd.ProcessState.SysUsage().(*syscall.Rusage).Maxrss
	return (cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()).Seconds(), float64(most) / 1024
}
