package ort

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
