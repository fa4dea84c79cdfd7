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
	"github.com/pfnamp/pfnamp/models"
)

// BenchmarkCapacity measures the figures of docs/evidence/speed.md, with the program that
// `make build` made and one processor: query rows per second of processor time beyond those of the
// start, the peak memory of a process, and the bytes of a saved state for every row of its context.
//
//	go test ./cmd/pfnamp -run '^$' -bench Capacity -benchtime 1x
func BenchmarkCapacity(b *testing.B) {
	program := filepath.Join("..", "..", "build", "bin", "pfnamp")
	if _, err := os.Stat(program); err != nil {
		b.Skip("run `make build` first")
	}
	number := func(y float64) string { return strconv.FormatFloat(y, 'g', 8, 64) }
	for _, size := range [][2]int{{300, 10}, {1000, 20}} {
		numbers := capacity{program: program, rows: size[0], features: size[1], target: number}
		numbers.fit(b)
		for _, asked := range []string{"q0.9", "p>1", "mean"} {
			numbers.measure(b, asked, "auto", "-f", asked)
			numbers.measure(b, asked, "paper", "-f", asked)
		}
		classes := numbers
		classes.target, classes.model = third, classifier()
		classes.fit(b)
		classes.measure(b, "classes", "auto")
		classes.measure(b, "classes", "limit")
	}
}

// capacity is what is measured of a context.
type capacity struct {
	program        string
	rows, features int
	target         func(y float64) string
	model          []string // flags

	state, few, many string // files
	bytes            int64  // of the state
}

// fit writes the tables and saves the state.
func (c *capacity) fit(b *testing.B) {
	dir := b.TempDir()
	table := func(name string, rows int) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, wavy(rows, c.features, c.target), 0o600); err != nil {
			b.Fatal(err)
		}
		return path
	}
	c.state, c.few, c.many = filepath.Join(dir, "y.state"), table("few.csv", 256),
		table("many.csv", 256+2048)
	args := append([]string{"fit", table("train.csv", c.rows), "-y", "y", "-q", "-o", c.state},
		c.model...)
	used(b, c.program, args...)
	info, err := os.Stat(c.state)
	if err != nil {
		b.Fatal(err)
	}
	c.bytes = info.Size()
}

// measure asks for something with further flags.
func (c *capacity) measure(b *testing.B, asked, posterior string, flags ...string) {
	b.Run(fmt.Sprintf("%dx%d/%s/%s", c.rows, c.features, asked, posterior), func(b *testing.B) {
		args := append([]string{"predict", c.state, "--posterior", posterior, "--cpus", "1", "-q",
			"-o", os.DevNull, "--to", "csv"}, append(flags, c.model...)...)
		var seconds, peak float64
		for b.Loop() {
			start, _ := used(b, c.program, append(args, c.few)...)
			all, most := used(b, c.program, append(args, c.many)...)
			seconds, peak = seconds+all-start, max(peak, most)
		}
		b.ReportMetric(2048*float64(b.N)/seconds, "rows/core-s")
		b.ReportMetric(peak, "peak-MiB")
		b.ReportMetric(float64(c.bytes)/1024/float64(c.rows), "state-KiB/row")
	})
}

// classifier names the model for labels: the one that stands for them, or one with random weights.
func classifier() []string {
	if _, err := models.ForTask(models.ClassificationTask); err == nil {
		return nil
	}
	return []string{"--model", filepath.Join("..", "..", "testdata", "tiny-classes")}
}

// third is a class, of three.
func third(y float64) string {
	switch {
	case y < -0.4:
		return "low"
	case y < 0.4:
		return "middle"
	}
	return "high"
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
