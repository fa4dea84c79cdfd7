package ort

// SessionOptions say how a graph is run. The zero value is the default.
type SessionOptions struct {
	// Threads is the number of threads that share one operator; 0 means GOMAXPROCS, which
	// follows the CPU limit of a container.
	Threads int
	// Device is "auto" (or ""), "cpu", "cuda" or "cuda:i".
	Device string
	// Repeats says that most runs have inputs of the same shapes: the library then plans one
	// allocation for all results of a run.
	Repeats bool
}

// A Placement is the device that a session runs on and why.
type Placement struct {
	Device string `json:"device"` // "cpu" or "cuda:i"
	Reason string `json:"reason"`
}
