package ort

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"
)

// A provider is an execution provider of onnxruntime: code of the library that runs graphs on one
// kind of device.
type provider struct {
	device   string            // its name in SessionOptions.Device
	name     string            // as the library lists it
	appended string            // the name that adds it to a session; "" for CPU and CUDA
	options  map[string]string // of the session
	index    string            // the option with the number of the device; "" if there is one device
	proven   string            // tests that the developers ran with it; "" is none
	get      string            // how to get a library that has it
}

// providers lists the devices that users can name. All compute in float32.
var providers = []provider{
	{device: "cpu", name: "CPUExecutionProvider", proven: "all tests"},
	{device: "cuda", name: "CUDAExecutionProvider", index: "device_id",
		proven: "golden vectors and answers beside those of cpu, on one H100",
		// tf32 rounds factors to 10 bits; the results would differ from those of the CPU.
		// Without the strategy the allocator takes twice what a run needs.
		options: map[string]string{"use_tf32": "0",
			"arena_extend_strategy": "kSameAsRequested"},
		get: "pip install onnxruntime-gpu nvidia-cublas nvidia-cuda-nvrtc nvidia-cuda-runtime " +
			"nvidia-cudnn-cu13 nvidia-cufft nvidia-curand nvidia-nvjitlink"},
	{device: "openvino", name: "OpenVINOExecutionProvider", appended: "OpenVINO",
		// Without the hint it computes in bfloat16 on processors that have it.
		options: map[string]string{"device_type": "CPU", "precision": "FP32",
			"load_config": `{"CPU":{"INFERENCE_PRECISION_HINT":"f32"}}`},
		proven: "golden vectors, by a build of pfnamp for onnxruntime 1.24.1",
		get:    "build onnxruntime with --use_openvino (onnxruntime-openvino of PyPI ends at 1.24.1)"},
	{device: "coreml", name: "CoreMLExecutionProvider", appended: "CoreML",
		options: map[string]string{"ModelFormat": "MLProgram"},
		get:     "pip install onnxruntime, on macOS"},
	{device: "directml", name: "DmlExecutionProvider", appended: "DML", index: "device_id",
		get: "build onnxruntime with --use_dml, on Windows (onnxruntime-directml ends at 1.24.4)"},
}

// Devices lists the values of SessionOptions.Device without numbers.
func Devices() []string {
	list := []string{"auto"}
	for _, p := range providers {
		list = append(list, p.device)
	}
	return list
}

// A Device says whether a library has a device that users can name.
type Device struct {
	Device   string `json:"device"`           // the value of SessionOptions.Device
	Provider string `json:"provider"`         // the execution provider behind it
	There    bool   `json:"there"`            // the library has the provider
	Proven   string `json:"proven,omitempty"` // tests that the developers ran with it; "" is none
	Get      string `json:"get,omitempty"`    // how to get a library that has it
}

func devicesOf(lib Library) []Device {
	var list []Device
	for _, p := range providers {
		list = append(list, Device{p.device, p.name, p.missing(lib) == "", p.proven, p.get})
	}
	return list
}

// parseDevice returns the provider of "cpu", "cuda", "cuda:1", ... and the number of the device.
func parseDevice(device string) (*provider, int, error) {
	name, number, numbered := strings.Cut(device, ":")
	if !numbered {
		number = "0"
	}
	for i := range providers {
		p := &providers[i]
		n, err := strconv.Atoi(number)
		if p.device == name && (p.index != "" || !numbered) && err == nil && n >= 0 {
			return p, n, nil
		}
	}
	return nil, 0, &DeviceError{Device: device, Reason: fmt.Sprintf(
		"write one of %s, or cuda:1 for the second GPU",
		strings.Join(Devices(), ", "))}
}

// at returns the name of the device with its number.
func (p *provider) at(index int) string {
	if p.index == "" {
		return p.device
	}
	return fmt.Sprintf("%s:%d", p.device, index)
}

// optionsAt returns the options of a session on the device of that number.
func (p *provider) optionsAt(index int) map[string]string {
	options := map[string]string{}
	maps.Copy(options, p.options)
	if p.index != "" {
		options[p.index] = strconv.Itoa(index)
	}
	return options
}

// missing says why a library cannot use the provider, or "". The words follow the library's name.
func (p *provider) missing(lib Library) string {
	switch {
	case p.device == "cuda" && !lib.CUDA:
		return withoutCUDA(lib)
	case !slices.Contains(lib.Providers, p.name):
		return "is a build without " + p.device
	}
	return ""
}

// SessionOptions are the options for running a graph. The zero value is the default.
type SessionOptions struct {
	// Threads is the number of threads that share one operator; 0 means GOMAXPROCS, which
	// follows the CPU limit of a container.
	Threads int
	// Device is one of [Devices], or "" for "auto"; "cuda" and "directml" may have a number, such
	// as "cuda:1". "auto" is CUDA where it is usable, otherwise the CPU.
	Device string
	// Repeats reports that most runs have inputs of the same shapes. The library then plans one
	// allocation for all results of a run.
	Repeats bool

	grace time.Duration // for a native call to end after it was told to; 0 means usualGrace
}

// A Placement is the device of a session and the reason for it.
type Placement struct {
	Device string `json:"device"` // such as "cpu" or "cuda:0"
	Reason string `json:"reason"`
	Memory uint64 `json:"-"` // of a CUDA device in bytes; otherwise 0
}
