package ort

import (
	"context"
	"errors"
	"fmt"
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
	s.Placement = session.Placement()
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
