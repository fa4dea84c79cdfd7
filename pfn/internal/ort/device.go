//go:build cgo && (linux || darwin || windows)

package ort

import (
	"errors"
	"fmt"

	onnx "github.com/yalue/onnxruntime_go"
)

// A choice is a device to try.
type choice struct {
	Placement
	asked    string
	provider *provider // nil for the CPU
	index    int       // the number of the device
	fallback bool      // the CPU may be used if the device fails
}

// cpu returns the choice that c falls back to.
func (c choice) cpu() choice { return choice{asked: c.asked} }

// choose decides on which device a graph runs. It fails if the requested device is unusable.
func (r *Runtime) choose(device string) (choice, error) {
	auto := device == "" || device == "auto"
	name := device
	if auto {
		name = "cuda"
	}
	p, index, err := parseDevice(name)
	if err != nil {
		return choice{}, err
	}
	c := choice{Placement{p.at(index), "asked for"}, device, p, index, auto}
	reason := r.unusable(p, index)
	switch {
	case p.device == "cpu":
		c.provider = nil
	case auto && reason != "":
		return choice{Placement{"cpu", reason}, device, nil, 0, false}, nil
	case auto:
		c.Reason = "cuda is usable"
	case p.missing(r.lib) != "":
		return choice{}, &DeviceError{Device: device, Reason: reason +
			"; to get another library: " + p.get}
	case reason != "":
		return choice{}, &DeviceError{Device: device, Reason: reason}
	}
	return c, nil
}

// Place returns the device on which a session would run. sure is false if only loading the graph
// can tell. It fails with a [*DeviceError].
func (r *Runtime) Place(device string) (p Placement, sure bool, err error) {
	c, err := r.choose(device)
	return c.Placement, err == nil && c.provider == nil, err
}

// unusable returns the reason why a device is unusable, or "".
func (r *Runtime) unusable(p *provider, index int) string {
	if lack := p.missing(r.lib); lack != "" {
		return fmt.Sprintf("%s %s", r.lib, lack)
	}
	if p.device != "cuda" {
		return ""
	}
	driver := queryDriver()
	switch {
	case driver.Missing != "":
		return driver.Missing
	case len(driver.GPUs) == 0:
		return "the NVIDIA driver finds no GPU"
	case index >= len(driver.GPUs):
		return fmt.Sprintf("the NVIDIA driver finds %d GPU(s), numbered from 0", len(driver.GPUs))
	}
	return ""
}

// apply adds the device to the session options; the CPU needs nothing.
func (c choice) apply(o *onnx.SessionOptions) error {
	switch {
	case c.provider == nil:
		return nil
	case c.provider.device == "cuda":
		return c.applyCUDA(o)
	}
	if c.provider.device == "directml" { // it allocates by itself
		if err := o.SetMemPattern(false); err != nil {
			return c.failed(err)
		}
	}
	err := o.AppendExecutionProvider(c.provider.appended, c.provider.optionsAt(c.index))
	if err != nil {
		return c.failed(err)
	}
	return nil
}

// applyCUDA is apply for CUDA, whose options are an object of their own.
func (c choice) applyCUDA(o *onnx.SessionOptions) error {
	cuda, err := onnx.NewCUDAProviderOptions()
	if err != nil {
		return c.failed(err)
	}
	env.live.Add(1)
	defer destroy(cuda)
	if err = cuda.Update(c.provider.optionsAt(c.index)); err == nil {
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
