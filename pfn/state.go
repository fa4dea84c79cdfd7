package pfn

import (
	"bufio"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/pfnamp/pfnamp/boost"
	"github.com/pfnamp/pfnamp/pfn/internal/half"
	"github.com/pfnamp/pfnamp/pfn/internal/ort"
	"github.com/pfnamp/pfnamp/pfn/internal/tabicl"
)

// StateFormat is the version of the saved state that this package writes and reads.
const StateFormat = 3

// StateMagic is the beginning of every saved state. No text, Parquet or Arrow file begins like
// this.
const StateMagic = "\x89PFNAMP\n"

// Limits of a saved state. They and its own length limit the memory that it takes.
const (
	maxStateHeader = 16 << 20
	maxStateNote   = 16 << 20
	maxCacheSize   = 1 << 31 // values of one tensor
	maxColumns     = 1 << 24 // features, of which trees read most
)

// stateHeader is the JSON part of a saved state.
type stateHeader struct {
	Model    string  `json:"model"`
	Version  string  `json:"version"`
	SHA256   string  `json:"sha256"`
	Rows     int     `json:"rows"`
	Columns  int     `json:"columns"`
	Mean     float64 `json:"target_mean"`
	SD       float64 `json:"target_sd"`
	Constant bool    `json:"target_constant"`
	Half     bool    `json:"half,omitempty"` // tensors are float16
	// Precision of the network that has read the table, empty for Float32.
	Precision string `json:"precision,omitempty"`
	// Companion is the number of bytes of the state of the companion's context; 0 if there is none.
	Companion int64 `json:"companion,omitempty"`
	// Nodes are the numbers of bytes of the states of the nodes of a hierarchy, if these are contexts.
	Nodes []int64       `json:"nodes,omitempty"`
	Trees *boost.Forest `json:"trees,omitempty"`
	// Fixed holds the distributions, by head, of a table that needs no network.
	Fixed []json.RawMessage `json:"fixed,omitempty"`
	// What follows describes an ensemble of TabICL, TabPFN or Nori.
	Pipeline *tabicl.State   `json:"pipeline,omitempty"`
	Bare     *tabicl.State   `json:"bare,omitempty"`   // of members that do not read what trees say
	Caches   [][]cacheHeader `json:"caches,omitempty"` // by member
	Bars     *ownHeader      `json:"bars,omitempty"`
	Nori     *ownHeader      `json:"nori,omitempty"`
	Classes  int             `json:"classes,omitempty"` // their number, 0 for numbers
	// ClassRows are the rows of every class, if there are more than outputs of the network.
	ClassRows []int `json:"class_rows,omitempty"`
	// ClassOrder is the class at every place of a hierarchy of contexts.
	ClassOrder []int `json:"class_order,omitempty"`
}

// cacheHeader is the shape of one input of the query graph, as computed by the context graph.
type cacheHeader struct {
	Name  string  `json:"name"`
	Shape []int64 `json:"shape"`
}

// Save writes the fitted context. Model.Restore reads it without the training table and without
// running the context graph, and then predicts the same bits. The note, up to 16 MiB, belongs to
// the caller; ReadState returns it.
//
// The state holds what the network remembers of every training row. Guard it like the training
// table. Its layout, in little-endian order:
//
//	8 bytes   StateMagic
//	uint32    StateFormat
//	uint32    bytes of the header
//	uint32    bytes of the note
//	          header: JSON with model, limits, pipelines and tensor shapes
//	          note
//	          of a TabPFN or Nori context, the training table: see ownHeader
//	          float32 tensors of the first member, then of the second, ...
//	          the states of the nodes of a hierarchy, if these are contexts, without a note
//	          of a model with a companion, the state of the companion's context, without a note
//	32 bytes  SHA-256 of everything before
//
// It fails with ErrClosed, an error of w, or of the companion, see [Context.Companion].
func (c *Context) Save(w io.Writer, note []byte) error { return c.save(w, note, false) }

// SaveHalf is Save with tensors of half precision (float16, 11 significant bits): about half the
// bytes, and slightly different predictions. It fails if a value is too large for float16.
func (c *Context) SaveHalf(w io.Writer, note []byte) error { return c.save(w, note, true) }

func (c *Context) save(w io.Writer, note []byte, half bool) error {
	if c.closed.Load() {
		return ErrClosed
	}
	described, numbers, err := c.header()
	if err != nil {
		return fmt.Errorf("pfn: saving the context: %w", err)
	}
	described.Half = half
	with, err := c.Companion(context.Background())
	if err == nil && with != nil {
		err = with.save((*length)(&described.Companion), nil, half)
	}
	for _, node := range c.nodes {
		var bytes length
		err = errors.Join(err, node.save(&bytes, nil, half))
		described.Nodes = append(described.Nodes, int64(bytes))
	}
	if err != nil {
		return err
	}
	header, err := json.Marshal(described)
	if err != nil {
		return fmt.Errorf("pfn: saving the context: %w", err)
	}
	if len(header) > maxStateHeader || len(note) > maxStateNote {
		return fmt.Errorf("pfn: saving the context: the header of %d bytes or the note of %d "+
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
	for _, values := range numbers {
		for block := range slices.Chunk(values, blockFloats) {
			if err := binary.Write(out, binary.LittleEndian, block); err != nil {
				return err
			}
		}
	}
	for _, member := range c.encoded {
		for _, tensor := range member {
			if err := writeFloats(out, tensor.Data[:size(tensor.Shape)], half); err != nil {
				return err
			}
		}
	}
	parts := c.nodes
	if with != nil {
		parts = append(slices.Clip(parts), with)
	}
	for _, part := range parts {
		if err := part.save(out, nil, half); err != nil {
			return err
		}
	}
	if err := out.Flush(); err != nil {
		return err
	}
	_, err = w.Write(sum.Sum(nil))
	return err
}

// length counts the bytes that are written to it.
type length int64

func (n *length) Write(data []byte) (int, error) {
	*n += length(len(data))
	return len(data), nil
}

// header describes the context. It returns the numbers that follow header and note.
func (c *Context) header() (stateHeader, [][]float64, error) {
	m := c.model.bundle
	h := stateHeader{
		Model: m.Manifest.Name, Version: m.Manifest.Version, SHA256: m.SHA256(),
		Rows: c.rows, Columns: c.columns, Trees: c.trees, Classes: c.target.classes,
		Mean: c.target.Mean, SD: c.target.SD, Constant: c.target.Constant,
	}
	if c.precision != Float32 {
		h.Precision = c.precision
	}
	if c.hierarchy != nil {
		h.ClassRows, h.ClassOrder = c.hierarchy.rows, c.hierarchy.order // they determine the shapes
	}
	switch {
	case c.nodes != nil:
		return h, nil, nil
	case c.Members() == 0:
		return h, nil, c.describeFixed(&h)
	case c.hierarchy != nil:
		return h, c.ensemble.save(&h, make([][]cacheHeader, c.Members())), nil
	}
	var tensors [][]cacheHeader
	for _, member := range c.encoded {
		var caches []cacheHeader
		for i, port := range c.model.caches {
			caches = append(caches, cacheHeader{port.Name, member[i].Shape})
		}
		tensors = append(tensors, caches)
	}
	return h, c.ensemble.save(&h, tensors), nil
}

// describeFixed describes the distributions of a context without members.
func (c *Context) describeFixed(h *stateHeader) error {
	for _, v := range c.asked(true) {
		data, err := json.Marshal(v.combine(nil, weighing{}))
		if err != nil {
			return err
		}
		h.Fixed = append(h.Fixed, data)
	}
	return nil
}

func size(shape []int64) int64 {
	n := int64(1)
	for _, d := range shape {
		n *= d
	}
	return n
}

// Numbers of values that are converted at a time, and allocated before they are read.
const (
	blockFloats   = 1 << 14
	trustedFloats = 1 << 21
)

func writeFloats(w io.Writer, values []float32, halves bool) error {
	for block := range slices.Chunk(values, blockFloats) {
		var numbers any = block
		if halves {
			rounded := make([]uint16, len(block))
			for i, v := range block {
				var ok bool
				if rounded[i], ok = half.Round(v); !ok {
					return fmt.Errorf("pfn: the encoded context holds %g, which is too large for half "+
						"precision: save it in full precision", v)
				}
			}
			numbers = rounded
		}
		if err := binary.Write(w, binary.LittleEndian, numbers); err != nil {
			return err
		}
	}
	return nil
}

// readFloats reads n finite values. Beyond 8 MiB it allocates memory as values arrive, whatever n
// is.
func readFloats(r io.Reader, n int64, halves bool) ([]float32, error) {
	values := make([]float32, 0, min(n, trustedFloats))
	for int64(len(values)) < n {
		at, count := len(values), min(n-int64(len(values)), blockFloats)
		values = append(values, make([]float32, count)...)
		var numbers any = values[at:]
		var rounded []uint16
		if halves {
			rounded = make([]uint16, count)
			numbers = rounded
		}
		if err := binary.Read(r, binary.LittleEndian, numbers); err != nil {
			return nil, err
		}
		for i, bits := range rounded {
			values[at+i] = half.Value(bits)
		}
	}
	if !finite(values) {
		return nil, errNotFinite
	}
	return values, nil
}

// readDoubles reads n values. It allocates memory as values arrive, whatever n is.
func readDoubles(r io.Reader, n int) (values []float64, err error) {
	for len(values) < n {
		at := len(values)
		values = append(values, make([]float64, min(n-at, blockFloats))...)
		if err := binary.Read(r, binary.LittleEndian, values[at:]); err != nil {
			return nil, err
		}
	}
	return values, nil
}

func (s *State) tensors(caches []cacheHeader, ports []ort.Port) (encoded, error) {
	if len(caches) != len(ports) {
		return nil, fmt.Errorf("it has %d tensors for each member", len(caches))
	}
	for i, cache := range caches {
		if err := fits(cache, ports[i]); err != nil {
			return nil, err
		}
	}
	var all encoded
	for _, cache := range caches {
		values, err := readFloats(s.in, size(cache.Shape), s.header.Half)
		if err != nil {
			return nil, err
		}
		all = append(all, ort.Tensor{Shape: cache.Shape, Data: values})
	}
	return all, nil
}

// fits compares a tensor with its input, and limits its size.
func fits(cache cacheHeader, port ort.Port) error {
	fail := fmt.Errorf("the tensor %q of shape %v does not fit the input %q of shape %v",
		cache.Name, cache.Shape, port.Name, port.Shape)
	if cache.Name != port.Name || len(cache.Shape) != len(port.Shape) {
		return fail
	}
	left := int64(maxCacheSize)
	for i, d := range cache.Shape {
		if d < 1 || d > left || port.Shape[i] >= 0 && d != port.Shape[i] {
			return fail
		}
		left /= d
	}
	return nil
}
