package ort

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
