package ort

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"slices"
	"time"

	"github.com/pfnamp/pfnamp/internal/wire"
)

// Doctor collects the facts and runs a graph with one node on the device, one of [Devices].
// It searches the library like [Find] with the explicit path. Loading a broken driver can hang or
// kill the process, so run it in a child process with a time limit.
func Doctor(ctx context.Context, explicit, device string) Facts {
	f := Facts{
		OS: runtime.GOOS, Arch: runtime.GOARCH, Libc: libc(),
		CPUs: runtime.NumCPU(), GOMAXPROCS: runtime.GOMAXPROCS(0),
		Driver: queryDriver(),
	}
	f.Memory, f.Limit = memory()
	f.Driver.Version = driverVersion()
	lib, steps, err := Find(explicit, device)
	f.Steps = steps
	f.Telemetry = Telemetry{
		Off:      telemetryOff(),
		Variable: telemetryVariable + "=" + os.Getenv(telemetryVariable),
	}
	if err != nil {
		f.Problem = err.Error()
		if unusable, ok := errors.AsType[*LibraryError](err); ok {
			f.Hint = unusable.Hint()
		}
		return f
	}
	if lib.SHA256 == "" {
		if lib.SHA256, err = fileSHA256(lib.Path); err != nil {
			f.Problem = fmt.Sprintf("hashing the library: %v", err)
		}
	}
	f.Library, f.Devices = &lib, devicesOf(lib)
	f.Smoke = smoke(ctx, lib, device)
	return f
}

// smoke runs y = -x on the device.
func smoke(ctx context.Context, lib Library, device string) Smoke {
	began := time.Now()
	s, err := runSmoke(ctx, lib, device)
	s.Millis = float64(time.Since(began).Microseconds()) / 1000
	s.OK = err == nil
	if err != nil {
		s.Problem = err.Error()
	}
	return s
}

func runSmoke(ctx context.Context, lib Library, device string) (s Smoke, err error) {
	rt, err := Start(lib)
	if err != nil {
		return s, err
	}
	defer func() { err = errors.Join(err, rt.Close()) }()
	session, err := rt.NewSession(ctx, smokeModel(), SessionOptions{Device: device, Threads: 1})
	if err != nil {
		return s, err
	}
	defer func() { err = errors.Join(err, session.Close()) }()
	s.Placement = session.Placement
	x := []float32{1, -2, 3}
	out, err := session.Run(ctx, map[string]Tensor{"x": {Shape: []int64{3}, Data: x}})
	if err != nil {
		return s, err
	}
	if want := []float32{-1, 2, -3}; !slices.Equal(out[0].Data, want) {
		return s, fmt.Errorf("the test graph returns %v instead of %v", out[0].Data, want)
	}
	return s, nil
}

// smokeModel returns the ONNX model (IR 8, opset 17) of one node: y = Neg(x), x and y float32 [3].
func smokeModel() []byte {
	var m wire.Message
	shape := m.Bytes(1, m.Int(1, 3))
	vector := m.Bytes(1, m.Int(1, 1).Bytes(2, shape)) // element type 1 is float32
	node := m.Text(1, "x").Text(2, "y").Text(4, "Neg")
	graph := m.Bytes(1, node).Text(2, "smoke").
		Bytes(11, m.Text(1, "x").Bytes(2, vector)).
		Bytes(12, m.Text(1, "y").Bytes(2, vector))
	opset := m.Text(1, "").Int(2, 17)
	return m.Int(1, 8).Bytes(8, opset).Bytes(7, graph)
}

// Facts describe whether and how graphs can run on this machine.
type Facts struct {
	OS         string `json:"os"`
	Arch       string `json:"arch"`
	Libc       string `json:"libc,omitempty"` // e.g. "glibc 2.36"
	CPUs       int    `json:"cpus"`           // available to this process
	GOMAXPROCS int    `json:"gomaxprocs"`     // follows the CPU limit of a container
	Memory     uint64 `json:"memory"`         // bytes of the machine, 0 if unknown
	Limit      uint64 `json:"memory_limit"`   // bytes allowed by the cgroup, 0 if unlimited

	Library   *Library  `json:"library"` // nil if none is usable
	Devices   []Device  `json:"devices"` // that users can name, and whether the library has them
	Steps     []Step    `json:"discovery"`
	Problem   string    `json:"problem,omitempty"` // reason why no library is usable
	Hint      string    `json:"hint,omitempty"`    // how to get one
	Telemetry Telemetry `json:"telemetry"`
	Driver    Driver    `json:"nvidia"`
	Smoke     Smoke     `json:"smoke"`
}

// A Telemetry is the state of the telemetry in official builds of onnxruntime, from 1.29 on.
type Telemetry struct {
	Off      bool   `json:"off"`
	Variable string `json:"variable"` // the decisive setting, e.g. "ORT_DISABLE_TELEMETRY=1"
}

// A Driver describes the NVIDIA driver.
type Driver struct {
	Version string `json:"version,omitempty"` // of the kernel module, e.g. "570.86.15"
	CUDA    string `json:"cuda,omitempty"`    // the newest supported CUDA, e.g. "12.8"
	GPUs    []GPU  `json:"gpus,omitempty"`
	Missing string `json:"missing,omitempty"` // reason why there is no driver
}

// A GPU is one device of the driver.
type GPU struct {
	Name   string `json:"name"`
	Memory uint64 `json:"memory"` // bytes in all
}

// A Smoke is the result of a graph with one node on the requested device.
type Smoke struct {
	OK        bool      `json:"ok"`
	Placement Placement `json:"placement"`
	Millis    float64   `json:"milliseconds"` // to start, load, run and close
	Problem   string    `json:"problem,omitempty"`
}

func fileSHA256(path string) (string, error) {
	f, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer f.Close()
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		return "", err
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}
