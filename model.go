package pfnamp

import (
	"errors"

	"github.com/pfnamp/pfnamp/models"
	"github.com/pfnamp/pfnamp/pfn"
)

// Open finds a bundle and loads it into onnxruntime. The name is "" or "default" for the embedded
// bundle, that of an imported one, or a folder; see models.Find. The caller closes the model.
// Errors are those of models.Find and pfn.Open; where onnxruntime is missing, the text has the
// remedy.
func Open(name string, opt pfn.Options) (*pfn.Model, error) {
	bundle, err := models.Find(name)
	if err != nil {
		return nil, err
	}
	return openBundle(bundle, opt)
}

// openBundle loads a bundle; an error has its remedy in the text.
func openBundle(bundle *models.Bundle, opt pfn.Options) (*pfn.Model, error) {
	m, err := pfn.Open(bundle, opt)
	if library := (*pfn.LibraryError)(nil); errors.As(err, &library) {
		return nil, &OpenError{err, library.Hint()}
	}
	return m, err
}

// OpenError is an error with its remedy in the text.
type OpenError struct {
	Err    error
	Remedy string
}

// Error returns the error and what to do about it.
func (e *OpenError) Error() string { return e.Err.Error() + "\n" + e.Remedy }

// Unwrap returns the error alone.
func (e *OpenError) Unwrap() error { return e.Err }
