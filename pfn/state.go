package pfn

import (
	"bufio"
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"slices"

	"github.com/pfnamp/pfnamp/pfn/internal/tabicl"
)

// StateFormat is the version of the saved state that this package writes and reads.
const StateFormat = 1

// StateMagic is how every saved state begins. No text, Parquet or Arrow file begins so.
const StateMagic = "\x89PFNAMP\n"

// Bounds of a saved state. What it holds in memory is bounded by these and by its own length.
const (
	maxStateHeader = 16 << 20
	maxStateNote   = 16 << 20
	maxCacheSize   = 1 << 31 // values of one tensor
)

// stateHeader is the part of a saved state that is JSON.
type stateHeader struct {
	Model    string        `json:"model"`
	Version  string        `json:"version"`
	SHA256   string        `json:"sha256"`
	Rows     int           `json:"rows"`
	Columns  int           `json:"columns"`
	Mean     float64       `json:"target_mean"`
	SD       float64       `json:"target_sd"`
	Constant bool          `json:"target_constant"`
	Fixed    []Quantiles   `json:"fixed,omitempty"`
	Pipeline *tabicl.State `json:"pipeline,omitempty"`
	Caches   []cacheHeader `json:"caches,omitempty"`
	Bars     *barState     `json:"bars,omitempty"`
	Classes  *classHeader  `json:"classes,omitempty"`
}

// cacheHeader is the shape of one input of the query graph that the context graph has made; it is
// the same for all members.
type cacheHeader struct {
	Name  string  `json:"name"`
	Shape []int64 `json:"shape"`
}

// Save writes the fitted context, so that Model.Restore makes it again without the training table
// and without running the context graph; what it predicts then has the same bits. The note, of at
// most 16 MiB, is the caller's: ReadState returns it.
//
// The state holds what the network remembers of every training row and must be guarded like the
// training table. Its layout, in little-endian order:
//
//	8 bytes   StateMagic
//	uint32    StateFormat
//	uint32    bytes of the header
//	uint32    bytes of the note
//	          header: JSON with model, limits, pipelines and tensor shapes
//	          note
//	          of a TabPFN context, the training table: see barState
//	          float32 tensors of the first member, then of the second, ...
//	32 bytes  SHA-256 of everything before
//
// The error is ErrClosed or that of w.
func (c *Context) Save(w io.Writer, note []byte) error {
	if c.closed.Load() {
		return ErrClosed
	}
	header, err := json.Marshal(c.header())
	if err != nil {
		return fmt.Errorf("pfn: saving the context: %w", err)
	}
	if len(header) > maxStateHeader || len(note) > maxStateNote {
		return fmt.Errorf("pfn: saving the context: a header of %d bytes or a note of %d "+
			"exceeds %d", len(header), len(note), maxStateNote)
	}
	sum := sha256.New()
	out := bufio.NewWriterSize(io.MultiWriter(w, sum), 1<<16)
	prefix := []byte(StateMagic)
	for _, n := range []int{StateFormat, len(header), len(note)} {
		prefix = binary.LittleEndian.AppendUint32(prefix, uint32(n))
	}
	for _, part := range [][]byte{prefix, header, note} {
		if _, err := out.Write(part); err != nil {
			return err
		}
	}
	if c.bars != nil {
		if err := c.saveBars(out); err != nil {
			return err
		}
	}
	for _, member := range c.encoded {
		for _, tensor := range member {
			if err := writeFloats(out, tensor.Data[:size(tensor.Shape)]); err != nil {
				return err
			}
		}
	}
	if err := out.Flush(); err != nil {
		return err
	}
	_, err = w.Write(sum.Sum(nil))
	return err
}

// header describes the context.
func (c *Context) header() stateHeader {
	m := c.model.bundle
	h := stateHeader{
		Model: m.Manifest.Name, Version: m.Manifest.Version, SHA256: m.SHA256(),
		Rows: c.rows, Columns: c.features,
		Mean: c.target.Mean, SD: c.target.SD, Constant: c.target.Constant,
	}
	for _, d := range c.fixed {
		h.Fixed = append(h.Fixed, *d)
	}
	if c.bars != nil {
		h.Bars = c.barHeader()
	}
	if c.classes != nil {
		h.Classes = &classHeader{Count: c.classes.count, Shares: c.classes.shares}
	}
	if c.encoder == nil {
		return h
	}
	state := c.encoder.State()
	h.Pipeline = &state
	for i, port := range c.model.caches {
		h.Caches = append(h.Caches, cacheHeader{port.Name, c.encoded[0][i].Shape})
	}
	return h
}

// size is the number of values of a shape.
func size(shape []int64) int64 {
	n := int64(1)
	for _, d := range shape {
		n *= d
	}
	return n
}

// Values that are converted at a time, and those that are allocated before they have been seen.
const (
	blockFloats   = 1 << 14
	trustedFloats = 1 << 21
)

func writeFloats(w io.Writer, values []float32) error {
	buffer := make([]byte, 0, 4*blockFloats)
	for block := range slices.Chunk(values, blockFloats) {
		buffer = buffer[:0]
		for _, v := range block {
			buffer = binary.LittleEndian.AppendUint32(buffer, math.Float32bits(v))
		}
		if _, err := w.Write(buffer); err != nil {
			return err
		}
	}
	return nil
}

// readFloats reads n finite values. Beyond 8 MiB memory grows with what is there, whatever n says.
func readFloats(r io.Reader, n int64) ([]float32, error) {
	values := make([]float32, 0, min(n, trustedFloats))
	buffer := make([]byte, 4*min(n, blockFloats))
	for int64(len(values)) < n {
		part := buffer[:4*min(n-int64(len(values)), blockFloats)]
		if _, err := io.ReadFull(r, part); err != nil {
			return nil, err
		}
		for ; len(part) > 0; part = part[4:] {
			values = append(values, math.Float32frombits(binary.LittleEndian.Uint32(part)))
		}
	}
	if !finite(values) {
		return nil, errNotFinite
	}
	return values, nil
}
