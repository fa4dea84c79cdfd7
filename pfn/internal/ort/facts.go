package ort

// Facts describe what decides whether and how graphs can be run here.
type Facts struct {
	OS         string `json:"os"`
	Arch       string `json:"arch"`
	Libc       string `json:"libc,omitempty"` // e.g. "glibc 2.36"
	CPUs       int    `json:"cpus"`           // that this process may run on
	GOMAXPROCS int    `json:"gomaxprocs"`     // follows the CPU limit of a container
	Memory     uint64 `json:"memory"`         // bytes of the machine, 0 if unknown
	Limit      uint64 `json:"memory_limit"`   // bytes allowed by the cgroup, 0 if unlimited

	Library   *Library  `json:"library"` // nil if none is usable
	Steps     []Step    `json:"discovery"`
	Problem   string    `json:"problem,omitempty"` // why no library is usable
	Hint      string    `json:"hint,omitempty"`    // how to get one
	Telemetry Telemetry `json:"telemetry"`
	Driver    Driver    `json:"nvidia"`
	Smoke     Smoke     `json:"smoke"`
}

// A Telemetry is the state of the telemetry that official builds of onnxruntime have from 1.29 on.
type Telemetry struct {
	Off      bool   `json:"off"`
	Variable string `json:"variable"` // the setting that decides, e.g. "ORT_DISABLE_TELEMETRY=1"
}

// A Driver is what is known of the NVIDIA driver.
type Driver struct {
	Version string `json:"version,omitempty"` // of the kernel module, e.g. "570.86.15"
	CUDA    string `json:"cuda,omitempty"`    // the newest CUDA that it can run, e.g. "12.8"
	GPUs    []GPU  `json:"gpus,omitempty"`
	Missing string `json:"missing,omitempty"` // why there is no driver to ask
}

// A GPU is one device that the driver sees.
type GPU struct {
	Name   string `json:"name"`
	Memory uint64 `json:"memory"` // bytes in all
}

// A Smoke is the outcome of a graph of one node, run on the device that was asked for.
type Smoke struct {
	OK        bool      `json:"ok"`
	Placement Placement `json:"placement"`
	Millis    float64   `json:"milliseconds"` // to start, load, run and close
	Problem   string    `json:"problem,omitempty"`
}
