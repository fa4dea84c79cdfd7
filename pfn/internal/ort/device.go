//go:build cgo && (linux || darwin || windows)

package ort

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	onnx "github.com/yalue/onnxruntime_go"
)

// A choice is a device to try.
type choice struct {
	Placement
	asked    string
	gpu      int  // the CUDA device, or -1 for the CPU
	fallback bool // the CPU may be used if the device fails
}

// cpu returns the choice that c falls back to.
func (c choice) cpu() choice { return choice{asked: c.asked, gpu: -1} }

// choose decides on which device a graph runs. It fails if the requested device is unusable.
func (r *Runtime) choose(device string) (choice, error) {
	on := func(gpu int, reason string) choice {
		name := "cpu"
		if gpu >= 0 {
			name = fmt.Sprintf("cuda:%d", gpu)
		}
		return choice{Placement{Device: name, Reason: reason}, device, gpu, false}
	}
	switch device {
	case "cpu":
		return on(-1, "asked for"), nil
	case "", "auto":
		if reason := r.noCUDA(0); reason != "" {
			return on(-1, reason), nil
		}
		c := on(0, "cuda is usable")
		c.fallback = true
		return c, nil
	}
	gpu, err := parseCUDA(device)
	if err != nil {
		return choice{}, err
	}
	if reason := r.noCUDA(gpu); reason != "" {
		return choice{}, &DeviceError{Device: device, Reason: reason}
	}
	return on(gpu, "asked for"), nil
}

// Place returns the device on which a session would run. sure is false if only loading the graph
// can tell. It fails with a [*DeviceError].
func (r *Runtime) Place(device string) (p Placement, sure bool, err error) {
	c, err := r.choose(device)
	return c.Placement, err == nil && c.gpu < 0, err
}

// parseCUDA returns the index of "cuda" (0) or "cuda:i".
func parseCUDA(device string) (int, error) {
	rest, ok := strings.CutPrefix(device, "cuda")
	if ok && rest == "" {
		return 0, nil
	}
	if n, err := strconv.Atoi(strings.TrimPrefix(rest, ":")); ok && rest[0] == ':' && err == nil &&
		n >= 0 {
		return n, nil
	}
	return 0, &DeviceError{Device: device,
		Reason: "write auto, cpu or cuda, or cuda:1 for the second GPU"}
}

// noCUDA returns the reason why CUDA device gpu is unusable, or "".
func (r *Runtime) noCUDA(gpu int) string {
	if !r.lib.CUDA {
		return fmt.Sprintf("%s %s", r.lib, withoutCUDA(r.lib))
	}
	driver := queryDriver()
	switch {
	case driver.Missing != "":
		return driver.Missing
	case len(driver.GPUs) == 0:
		return "the NVIDIA driver finds no GPU"
	case gpu >= len(driver.GPUs):
		return fmt.Sprintf("the NVIDIA driver finds %d GPU(s), numbered from 0", len(driver.GPUs))
	}
	return ""
}

// apply adds the device to the session options; the CPU needs nothing.
func (c choice) apply(o *onnx.SessionOptions) error {
	if c.gpu < 0 {
		return nil
	}
	cuda, err := onnx.NewCUDAProviderOptions()
	if err != nil {
		return c.failed(err)
	}
	env.live.Add(1)
	defer destroy(cuda)
	// tf32 rounds factors to 10 bits; the results would differ from those of the CPU.
	err = cuda.Update(map[string]string{"device_id": strconv.Itoa(c.gpu), "use_tf32": "0"})
	if err == nil {
		err = o.AppendExecutionProviderCUDA(cuda)
	}
	if err != nil {
		return c.failed(err)
	}
	return nil
}

// failed returns the error for a device on which the library failed.
func (c choice) failed(err error) error {
	status := statusError("adding the device", err)
	return &DeviceError{Device: c.asked, Reason: status.(*Error).Status}
}

// cause returns what went wrong, without the device, which the reader knows.
func cause(err error) string {
	if unusable, ok := errors.AsType[*DeviceError](err); ok {
		return unusable.Reason
	}
	return err.Error()
}
