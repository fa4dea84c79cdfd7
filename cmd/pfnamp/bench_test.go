package main

import (
	"bytes"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/pfnamp/pfnamp/internal/must"
	"github.com/pfnamp/pfnamp/internal/orttest"
)

// built is the program that `make build` made, and a function that writes the query rows of `make
// demo`, in turn, to a new file.
func built(b *testing.B) (program, train string, rows func(n int) string) {
	build := filepath.Join("..", "..", "build")
	program, train = filepath.Join(build, "bin", "pfnamp"), filepath.Join(build, "demo", "train.csv")
	query, err := os.ReadFile(filepath.Join(build, "demo", "test.csv"))
	if _, missing := os.Stat(program); missing != nil || err != nil {
		b.Skip("run `make demo` first")
	}
	lines := bytes.SplitAfter(append(bytes.TrimSpace(query), '\n'), []byte("\n"))
	return program, train, func(n int) string {
		text := bytes.Clone(lines[0])
		for i := range n {
			text = append(text, lines[1+i%(len(lines)-2)]...)
		}
		return benchTable(b, text)
	}
}

func benchTable(b *testing.B, text []byte) string {
	path := filepath.Join(b.TempDir(), "table.csv")
	must.Succeed(b, os.WriteFile(path, text, 0o600))
	return path
}

// BenchmarkProgram predicts the tables of `make demo`, and their query rows repeated to 1,200, in a
// process each, and reports its processor time and peak memory.
func BenchmarkProgram(b *testing.B) {
	program, train, query := built(b)
	for _, rows := range []int{88, 1200} {
		test := query(rows)
		b.Run("rows="+strconv.Itoa(rows), func(b *testing.B) {
			var seconds, peak float64
			for b.Loop() {
				seconds, peak = used(b, program, "predict", train, test, "--target", "progression",
					"--functional", "mean,q0.9,p>150", "--quiet", "-o", os.DevNull, "--to", "csv")
			}
			b.ReportMetric(1e3*seconds, "cpu-ms")
			b.ReportMetric(peak, "peak-MiB")
		})
	}
}

// BenchmarkStart predicts no row and one from a saved state, in a process each, and reports its
// processor time.
func BenchmarkStart(b *testing.B) {
	program, train, query := built(b)
	state := filepath.Join(b.TempDir(), "demo.state")
	used(b, program, "fit", train, "--target", "progression", "--quiet", "-o", state)
	for _, rows := range []int{0, 1} {
		test := query(rows)
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

// BenchmarkCapacity measures query rows per second of processor time beyond those of the start,
// with one processor, the peak memory of a process, and the bytes of a saved state for every row of
// its context.
//
//	go test ./cmd/pfnamp -run '^$' -bench Capacity -benchtime 1x
func BenchmarkCapacity(b *testing.B) {
	program, _, _ := built(b)
	number := func(y float64) string { return strconv.FormatFloat(y, 'g', 8, 64) }
	third := func(y float64) string {
		return []string{"low", "middle", "high"}[max(0, min(2, int(math.Floor(y/0.8+1.5))))]
	}
	for _, size := range [][2]int{{300, 10}, {1000, 20}} {
		for asked, target := range map[string]func(float64) string{"q0.9": number, "p>1": number,
			"mean": number, "classes": third} {
			table := func(rows int) string { return benchTable(b, wavy(rows, size[1], target)) }
			state := filepath.Join(b.TempDir(), "y.state")
			used(b, program, "fit", table(size[0]), "-y", "y", "-q", "-o", state)
			info, err := os.Stat(state)
			must.Succeed(b, err)
			few, many := table(256), table(256+2048)
			posteriors, more := []string{"auto", "paper"}, []string{"-f", asked}
			if asked == "classes" {
				posteriors, more = []string{"auto", "limit"}, nil
			}
			for _, posterior := range posteriors {
				args := append([]string{"predict", state, "--posterior", posterior, "--cpus", "1", "-q", "-o",
					os.DevNull, "--to", "csv"}, more...)
				b.Run(fmt.Sprintf("%dx%d/%s/%s", size[0], size[1], asked, posterior), func(b *testing.B) {
					var seconds, peak float64
					for b.Loop() {
						start, _ := used(b, program, append(args, few)...)
						all, most := used(b, program, append(args, many)...)
						seconds, peak = seconds+all-start, max(peak, most)
					}
					b.ReportMetric(2048*float64(b.N)/seconds, "rows/core-s")
					b.ReportMetric(peak, "peak-MiB")
					b.ReportMetric(float64(info.Size())/1024/float64(size[0]), "state-KiB/row")
				})
			}
		}
	}
}

// wavy is a CSV of so many rows of features x0, x1, ... and a target y.
func wavy(rows, features int, target func(y float64) string) []byte {
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
		text.WriteString(target(y+0.1*math.Cos(float64(7*i))) + "\n")
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
	return (cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()).Seconds(),
		float64(most) / 1024
}
