package arrow

import (
	"io"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/ipc"

	"github.com/pfnamp/pfnamp/tabular/internal/ground"
)

// NewStreamEncoder prepares a stream with the given metadata in its schema.
func NewStreamEncoder(w io.Writer, to ground.Output) (ground.Encoder, error) {
	return ipc.NewWriter(w, ipc.WithSchema(arrow.NewSchema(to.Schema.Fields(), &to.Metadata))), nil
}

// NewFileEncoder prepares a file with the given metadata in its schema.
func NewFileEncoder(w io.Writer, to ground.Output) (ground.Encoder, error) {
	return ipc.NewFileWriter(w, ipc.WithSchema(arrow.NewSchema(to.Schema.Fields(), &to.Metadata)))
}
