//go:build cgo && (linux || darwin)

package ort

import (
	"fmt"
	"os"
	"strings"
	"syscall"
	"testing"
	"time"

	onnx "github.com/yalue/onnxruntime_go"
)

// cpuSeconds is the processor time of the process so far, all threads together.
func cpuSeconds(b *testing.B) float64 {
	b.Helper()
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		b.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano()).Seconds()
}

// reportCPU adds the processor time per operation, which shows what spinning costs.
func reportCPU(b *testing.B, before float64) {
	b.Helper()
	b.ReportMetric((cpuSeconds(b)-before)/float64(b.N)*1e3, "cpu-ms/op")
}

// residentMB is the memory that the process holds; 0 where it cannot be told.
func residentMB() float64 {
	var size, resident int
	fmt.Sscan(readText("/proc/self/statm"), &size, &resident)
	return float64(resident) * float64(os.Getpagesize()) / 1e6
}

// BenchmarkContextCache reads one row of a cached context of 50 MB per run: "slice" wraps the Go
// slice anew for every run, as Run does; "value" keeps one native value over all runs. They cost
// the same, because wrapping copies nothing, so that there is no type for a kept value.
func BenchmarkContextCache(b *testing.B) {
	const rows = 50_000_000 / 4 / 8
	s := open(b, start(b), cacheModel())
	cache := Tensor{[]int64{rows, 8}, make([]float32, rows*8)}
	x := Tensor{[]int64{1, 8}, make([]float32, 8)}
	b.Run("slice", func(b *testing.B) {
		in := map[string]Tensor{"cache": cache, "x": x}
		for b.Loop() {
			if _, err := s.Run(b.Context(), in); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("value", func(b *testing.B) {
		kept, err := onnx.NewTensor(cache.Shape, cache.Data)
		if err != nil {
			b.Fatal(err)
		}
		defer kept.Destroy()
		for b.Loop() {
			v, err := onnx.NewTensor(x.Shape, x.Data)
			if err != nil {
				b.Fatal(err)
			}
			out := []onnx.Value{nil}
			if err := s.native.Run([]onnx.Value{kept, v}, out); err != nil {
				b.Fatal(err)
			}
			out[0].Destroy()
			v.Destroy()
		}
	})
}

// BenchmarkTuning measures the options of defaultTuning on a chain of products and softmaxes:
// "small" is one short query after another, "pause" the same with 5 ms of other work between,
// "shapes" varies the number of rows from run to run.
func BenchmarkTuning(b *testing.B) {
	rt := start(b)
	const width = 128
	m := Tensor{[]int64{width, width}, make([]float32, width*width)}
	for i := range m.Data {
		m.Data[i] = float32(i%11)/11 - 0.5
	}
	x := make([]float32, 6000*width)
	loads := []struct {
		name  string
		rows  func(i int) int64
		pause time.Duration
	}{
		{"small", func(int) int64 { return 50 }, 0},
		{"pause", func(int) int64 { return 50 }, 5 * time.Millisecond},
		{"large", func(int) int64 { return 2000 }, 0},
		{"shapes", func(i int) int64 { return 100 + int64(i%41)*140 }, 0},
	}
	for _, t := range []tuning{{}, {spin: true}, {arena: true}, {pattern: true},
		{arena: true, pattern: true}} {
		for _, load := range loads {
			b.Run(fmt.Sprintf("%s/%s", t, load.name), func(b *testing.B) {
				s, err := rt.newSession(b.Context(), chainModel(12), SessionOptions{Device: "cpu"}, t)
				if err != nil {
					b.Fatal(err)
				}
				defer s.Close()
				cpu, i := cpuSeconds(b), 0
				for b.Loop() {
					n := load.rows(i)
					i++
					in := map[string]Tensor{"m": m, "x": {[]int64{n, width}, x[:n*width]}}
					if _, err := s.Run(b.Context(), in); err != nil {
						b.Fatal(err)
					}
					time.Sleep(load.pause)
				}
				reportCPU(b, cpu)
				b.ReportMetric(residentMB(), "resident-MB")
			})
		}
	}
}

// String names the options that are on.
func (t tuning) String() string {
	var on []string
	for i, set := range []bool{t.spin, t.arena, t.pattern} {
		if set {
			on = append(on, []string{"spin", "arena", "pattern"}[i])
		}
	}
	if len(on) == 0 {
		return "plain"
	}
	return strings.Join(on, "+")
}
