package ort

import "fmt"

// NeededVersion is the oldest onnxruntime release that the binding can speak to.
const NeededVersion = "1.25"

// neededAPI is the C API version that the binding asks for; release 1.N serves the APIs 1 to N.
const neededAPI = 25

// A Library is one usable onnxruntime shared library.
type Library struct {
	Path      string   `json:"path"`      // what was loaded, absolute
	Version   string   `json:"version"`   // as the library itself says, e.g. "1.27.0"
	SHA256    string   `json:"sha256"`    // of the file; "" until verified, as [Doctor] does
	Source    string   `json:"source"`    // the place of the discovery order that it came from
	API       int      `json:"api"`       // the newest C API it serves
	Providers []string `json:"providers"` // execution providers compiled in
	CUDA      bool     `json:"cuda"`      // has the CUDA provider and its file beside it
}

// String returns the version and where it was found, in few words.
func (l Library) String() string {
	if l.Source == "" {
		return "onnxruntime " + l.Version
	}
	return fmt.Sprintf("onnxruntime %s (%s)", l.Version, l.Source)
}

// A Step is one line of the discovery log.
type Step struct {
	Where   string `json:"where"`   // the place that was looked at
	Path    string `json:"path"`    // the file or folder there, if there is one
	Outcome string `json:"outcome"` // "used", "not set", "none" or why it was not used
}

// A Tensor is a dense float32 array in row-major order. Data holds at least as many values as the
// product of Shape; an input is read in place and must not change while it is in use.
type Tensor struct {
	Shape []int64
	Data  []float32
}

// A Port is one declared input or output of a graph. A dimension of -1 is dynamic.
type Port struct {
	Name  string  `json:"name"`
	Shape []int64 `json:"shape"`
}

// SessionOptions say how a graph is run. The zero value is the default.
type SessionOptions struct {
	// Threads is the number of threads that share one operator; 0 means GOMAXPROCS, which
	// follows the CPU limit of a container.
	Threads int
	// Device is "auto" (or ""), "cpu", "cuda" or "cuda:i".
	Device string
}

// A Placement is the device that a session runs on and why.
type Placement struct {
	Device string `json:"device"` // "cpu" or "cuda:i"
	Reason string `json:"reason"`
}
