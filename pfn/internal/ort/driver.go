//go:build cgo && (linux || darwin || windows)

package ort

/*
#include "driver.h"
#include <stdlib.h>
*/
import "C"

import (
	"debug/elf"
	"errors"
	"fmt"
	"path/filepath"
	"strconv"
	"strings"
	"unsafe"

	onnx "github.com/yalue/onnxruntime_go"
)

// imports returns the libraries that a library of Linux needs, by their names.
func imports(file string) []string {
	image, err := elf.Open(file)
	if err != nil {
		return nil
	}
	defer image.Close()
	needed, _ := image.ImportedLibraries()
	return needed
}

// neededCUDA returns the major version of CUDA that a provider was built for, or 0.
func neededCUDA(provider string) int {
	for _, name := range imports(provider) {
		if number, ok := strings.CutPrefix(name, "libcudart.so."); ok {
			major, _ := strconv.Atoi(number)
			return major
		}
	}
	return 0
}

// loadNVIDIA loads those libraries that a provider needs and that pip has installed beside its
// package, in nvidia/*/lib, where the system's loader does not look. What is absent shows when the
// provider is loaded.
func loadNVIDIA(provider string) {
	site := filepath.Dir(filepath.Dir(filepath.Dir(provider)))
	for _, name := range imports(provider) {
		found, _ := filepath.Glob(filepath.Join(escapeGlob(site), "nvidia", "*", "lib", name))
		for _, file := range found {
			path := C.CString(file)
			C.pfnamp_keep(path)
			C.free(unsafe.Pointer(path))
		}
	}
}

// queryDriver asks the NVIDIA driver for its GPUs. It loads the driver, which takes time and may
// fail badly, so it is not called for the CPU.
func queryDriver() Driver {
	var d C.pfnamp_driver
	keepingSignals(func() { C.pfnamp_ask_driver(&d) })
	if d.failure[0] != 0 {
		return Driver{Missing: oneLine(C.GoString(&d.failure[0]))}
	}
	driver := Driver{CUDA: fmt.Sprintf("%d.%d", d.version/1000, d.version%1000/10)}
	for i := range int(d.count) {
		driver.GPUs = append(driver.GPUs, GPU{
			Name:   C.GoString(&d.name[i][0]),
			Memory: uint64(d.memory[i]),
		})
	}
	return driver
}

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
	c := choice{Placement{Device: p.at(index), Reason: "asked for"}, device, p, index, auto}
	reason := r.unusable(p, index)
	switch {
	case p.device == "cpu":
		c.provider = nil
	case auto && reason != "":
		return choice{Placement{Device: "cpu", Reason: reason}, device, nil, 0, false}, nil
	case auto:
		c.Reason = "cuda is usable"
	case p.missing(r.lib) != "":
		return choice{}, &DeviceError{Device: device, Reason: reason +
			"; to get another library: " + p.get}
	case reason != "":
		return choice{}, &DeviceError{Device: device, Reason: reason}
	}
	if c.provider != nil && p.device == "cuda" {
		loadNVIDIA(cudaProviderFile(r.lib.Path))
		c.Memory = queryDriver().GPUs[index].Memory
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
	return queryDriver().lacks(index, neededCUDA(cudaProviderFile(r.lib.Path)))
}

// drivers are the oldest NVIDIA drivers for a major version of CUDA.
var drivers = map[int]int{12: 525, 13: 580}

// lacks returns why the driver cannot serve the GPU of that number to a provider built for a major
// version of CUDA (0 is unknown), or "".
func (driver Driver) lacks(index, cuda int) string {
	number, _, _ := strings.Cut(driver.CUDA, ".")
	runs, _ := strconv.Atoi(number)
	switch {
	case driver.Missing != "":
		return driver.Missing
	case runs < cuda:
		return fmt.Sprintf("the NVIDIA driver runs programs for CUDA %s and older, and this "+
			"onnxruntime needs CUDA %d: install NVIDIA driver %d or newer, or an onnxruntime-gpu for "+
			"CUDA %d", driver.CUDA, cuda, drivers[cuda], runs)
	case len(driver.GPUs) == 0:
		return "the NVIDIA driver finds no GPU"
	case index >= len(driver.GPUs):
		return fmt.Sprintf("the NVIDIA driver finds %d GPU(s), numbered from 0", len(driver.GPUs))
	}
	return ""
}

// apply adds the device to the session options; the CPU needs nothing.
func (c choice) apply(o *onnx.SessionOptions) (err error) {
	if c.provider == nil {
		return nil
	}
	options := c.provider.optionsAt(c.index)
	if c.provider.device == "directml" { // it allocates by itself
		err = o.SetMemPattern(false)
	}
	switch {
	case err != nil:
	case c.provider.device == "cuda":
		err = appendCUDA(o, options)
	default:
		err = o.AppendExecutionProvider(c.provider.appended, options)
	}
	if err == nil {
		return nil
	}
	reason := statusError("adding the device", err).(*Error).Status
	if c.provider.device == "cuda" && strings.Contains(reason, "cannot open shared object") {
		reason += "; to get NVIDIA's libraries: " + c.provider.get
	}
	return &DeviceError{Device: c.asked, Reason: reason}
}

// appendCUDA adds CUDA, whose options are an object of their own.
func appendCUDA(o *onnx.SessionOptions, options map[string]string) error {
	cuda, err := onnx.NewCUDAProviderOptions()
	if err != nil {
		return err
	}
	env.live.Add(1)
	defer destroy(cuda)
	if err := cuda.Update(options); err != nil {
		return err
	}
	return o.AppendExecutionProviderCUDA(cuda)
}

// cause returns what went wrong, without the device, which the reader knows.
func cause(err error) string {
	if unusable, ok := errors.AsType[*DeviceError](err); ok {
		return unusable.Reason
	}
	return err.Error()
}
