package ort

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
}

// A Placement is the device of a session and the reason for it.
type Placement struct {
	Device string `json:"device"` // such as "cpu" or "cuda:0"
	Reason string `json:"reason"`
	Memory uint64 `json:"-"` // of a CUDA device in bytes; otherwise 0
}
