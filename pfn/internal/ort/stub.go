//go:build !cgo || !(linux || darwin || windows)

package ort

import "context"

// Available reports whether this program can load onnxruntime at all.
const Available = false

// A Runtime cannot exist in this program.
type Runtime struct{}

// A Session cannot exist in this program.
type Session struct{}

// Start returns ErrUnsupported.
func Start(Library) (*Runtime, error) { return nil, ErrUnsupported }

// Close returns ErrUnsupported.
func (r *Runtime) Close() error { return ErrUnsupported }

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

// A Binding cannot exist in this program.
type Binding struct{}

// Bind returns ErrUnsupported.
func (s *Session) Bind(map[string]Tensor) (*Binding, error) { return nil, ErrUnsupported }

// Run returns ErrUnsupported.
func (b *Binding) Run(
	context.Context, map[string]Tensor, map[string][]int64,
) (map[string]Tensor, error) {
	return nil, ErrUnsupported
}

// Close returns ErrUnsupported.
func (b *Binding) Close() error { return ErrUnsupported }

// Inputs returns nothing.
func (s *Session) Inputs() []Port { return nil }

// Outputs returns nothing.
func (s *Session) Outputs() []Port { return nil }

// Placement returns the zero value.
func (s *Session) Placement() Placement { return Placement{} }

// Close returns ErrUnsupported.
func (s *Session) Close() error { return ErrUnsupported }

// Live returns 0.
func Live() int64 { return 0 }

func probe(path string) (Library, *LibraryError) {
	return Library{}, &LibraryError{Fault: NotLoadable, Path: path, Detail: ErrUnsupported.Error()}
}

func queryDriver() Driver { return Driver{Missing: ErrUnsupported.Error()} }

func libc() string { return "" }
