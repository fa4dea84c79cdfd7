//go:build !cgo || !(linux || darwin || windows)

package ort

import "context"

// Available reports whether this program can load onnxruntime at all.
const Available = false

// impossible is what cannot exist in this program.
type impossible struct{}

// Close returns ErrUnsupported.
func (impossible) Close() error { return ErrUnsupported }

// A Runtime cannot exist in this program.
type Runtime struct{ impossible }

// A Session cannot exist in this program.
type Session struct {
	impossible
	Inputs, Outputs []Port
	Placement       Placement
}

// A Binding cannot exist in this program.
type Binding struct{ impossible }

// Start returns ErrUnsupported.
func Start(Library) (*Runtime, error) { return nil, ErrUnsupported }

// Place returns ErrUnsupported.
func (r *Runtime) Place(string) (Placement, bool, error) {
	return Placement{}, false, ErrUnsupported
}

// NewSession returns ErrUnsupported.
func (r *Runtime) NewSession(context.Context, []byte, SessionOptions) (*Session, error) {
	return nil, ErrUnsupported
}

// Run returns ErrUnsupported.
func (s *Session) Run(context.Context, map[string]Tensor) ([]Tensor, error) {
	return nil, ErrUnsupported
}

// Bind returns ErrUnsupported.
func (s *Session) Bind(map[string]Tensor) (*Binding, error) { return nil, ErrUnsupported }

// Run returns ErrUnsupported.
func (b *Binding) Run(
	context.Context, map[string]Tensor, map[string][]int64,
) (map[string]Tensor, error) {
	return nil, ErrUnsupported
}

// Live returns 0.
func Live() int64 { return 0 }

func probe(path string) (Library, *LibraryError) {
	return Library{}, &LibraryError{Fault: NotLoadable, Path: path, Detail: ErrUnsupported.Error()}
}

func queryDriver() Driver { return Driver{Missing: ErrUnsupported.Error()} }

func libc() string { return "" }
