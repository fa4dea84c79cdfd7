package pfn

import (
	"bufio"
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"hash"
	"io"
	"slices"

	"github.com/pfnamp/pfnamp/boost"
	"github.com/pfnamp/pfnamp/internal/panics"
	"github.com/pfnamp/pfnamp/internal/strictjson"
	"github.com/pfnamp/pfnamp/pfn/internal/tabicl"
)

var (
	errNotFinite = errors.New("it contains NaN or Inf")
	errChecksum  = errors.New("its checksum is wrong")
	errTrailing  = errors.New("there is more data after its end")
)

// State is a saved context whose beginning was read. Model.Restore reads the rest.
type State struct {
	Model   string        // name of its bundle
	Version string        // version of that bundle
	SHA256  string        // of that bundle's manifest, see models.Bundle.SHA256
	Rows    int           // context rows
	Columns int           // features of a query row
	Note    []byte        // the note given to Save
	Trees   *boost.Forest // see Training.Trees

	header stateHeader
	in     io.Reader // the rest, through sum
	sum    hash.Hash
	raw    *bufio.Reader
}

// StateError reports that a saved context cannot be used.
type StateError struct {
	Msg    string // what is wrong
	Other  bool   // the state is sound, but from another model or another version of this package
	Err    error  // cause, or nil
	Remedy string // what to do, if fitting the table again does not help
}

// Error returns what is wrong, with its cause.
func (e *StateError) Error() string {
	if e.Err != nil && !errors.Is(e.Err, io.ErrUnexpectedEOF) { // Msg says it is cut short
		return e.Msg + ": " + e.Err.Error()
	}
	return e.Msg
}

// Unwrap returns the cause, or nil.
func (e *StateError) Unwrap() error { return e.Err }

// Hint returns what to do about it.
func (e *StateError) Hint() string {
	switch {
	case e.Remedy != "":
		return e.Remedy
	case e.Other:
		return "use the bundle of the state, or fit the training table again"
	}
	return "fit the training table again"
}

// damaged returns the error for a state that differs from the output of Save.
func damaged(err error) *StateError {
	if known, ok := errors.AsType[*StateError](err); ok { // of the companion's part
		return known
	}
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return &StateError{Msg: "the state is cut short", Err: io.ErrUnexpectedEOF}
	}
	return &StateError{Msg: "the state is damaged", Err: err}
}

// ReadState reads the beginning of a saved context, so that its model is known before it is loaded.
// The reader must stay open until Restore has returned. It fails with a *StateError.
func ReadState(r io.Reader) (*State, error) {
	s := &State{sum: sha256.New(), raw: bufio.NewReaderSize(r, 1<<16)}
	s.in = io.TeeReader(s.raw, s.sum)
	prefix := make([]byte, len(StateMagic)+12)
	if _, err := io.ReadFull(s.in, prefix); err != nil || string(prefix[:8]) != StateMagic {
		return nil, &StateError{Msg: "the file is not a saved state",
			Remedy: "save the training table as a state with `pfnamp fit`"}
	}
	number := func(i int) uint32 { return binary.LittleEndian.Uint32(prefix[8+4*i:]) }
	if number(0) != StateFormat {
		return nil, &StateError{Other: true, Msg: fmt.Sprintf(
			"the state has format %d, but this version reads format %d", number(0), StateFormat)}
	}
	header, err := s.section(number(1), maxStateHeader)
	if err != nil {
		return nil, err
	}
	if s.Note, err = s.section(number(2), maxStateNote); err != nil {
		return nil, err
	}
	if err := decodeState(header, &s.header); err != nil {
		return nil, damaged(err)
	}
	h := &s.header
	s.Model, s.Version, s.SHA256, s.Rows, s.Columns = h.Model, h.Version, h.SHA256, h.Rows, h.Columns
	if h.Trees != nil && !h.Trees.Within {
		s.Trees = h.Trees
	}
	return s, nil
}

// decodeState decodes one JSON value. It refuses unknown fields.
func decodeState(data []byte, v any) error {
	decoder := json.NewDecoder(bytes.NewReader(data))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(v); err != nil {
		return strictjson.Worded(err)
	}
	if _, err := decoder.Token(); err != io.EOF {
		return errTrailing
	}
	return nil
}

// section reads n bytes. It allocates memory as they arrive, whatever n is.
func (s *State) section(n uint32, limit int64) ([]byte, error) {
	if int64(n) > limit {
		return nil, damaged(fmt.Errorf("a section has %d bytes, at most %d are possible", n, limit))
	}
	var data bytes.Buffer
	if _, err := io.CopyN(&data, s.in, int64(n)); err != nil {
		return nil, damaged(err)
	}
	return data.Bytes(), nil
}

// Restore reads the rest of a saved context and returns the context. It predicts the same bits as
// the saved one, or nearly so after SaveHalf. A state can be restored once. It fails with a
// *StateError if the state is from another model, damaged or cut short, with a *MemoryError, or
// with ErrClosed.
func (m *Model) Restore(s *State) (*Context, error) {
	if err := m.acquire(); err != nil {
		return nil, err
	}
	defer m.closing.RUnlock()
	if s.SHA256 != m.bundle.SHA256() {
		if err := s.skip(); err != nil { // the name of its model may be damaged too
			return nil, damaged(err)
		}
		return nil, &StateError{Other: true, Msg: fmt.Sprintf(
			"the state was made with model %s %s (sha256 %.12s), not with %s (sha256 %.12s)",
			s.Model, s.Version, s.SHA256, m.Name(), m.bundle.SHA256())}
	}
	if s.header.Companion > 0 && m.bundle.Manifest.Companion != nil {
		if _, err := m.companion(); err != nil {
			return nil, err
		}
	}
	var c *Context
	err := panics.Job(func() (err error) { // of what a damaged header describes
		if c, err = s.context(m); err == nil {
			err = c.restoreCompanion(s)
		}
		return err
	})()
	if large, ok := errors.AsType[*MemoryError](err); ok {
		return nil, large
	}
	if err != nil {
		return nil, damaged(err)
	}
	if err := s.finish(); err != nil {
		return nil, damaged(err)
	}
	c.restored = true
	return c, nil
}

// restoreCompanion reads the state of the companion's context. Without its bundle the context has
// none, see [Context.Alone].
func (c *Context) restoreCompanion(s *State) error {
	b, in := c.model.bundle.Manifest.Companion, io.LimitReader(s.in, s.header.Companion)
	if s.header.Companion == 0 {
		if b != nil {
			c.beside.why = &StateError{Other: true, Msg: "the state was saved without the companion"}
		}
		return nil
	}
	with, err := ReadState(in)
	if err != nil {
		return errors.New("the part of its companion is not whole")
	}
	if b == nil || b.SHA256() != with.SHA256 {
		c.beside.why = &StateError{Other: true, Msg: fmt.Sprintf("the state's companion is model %s %s, "+
			"not the model's", with.Model, with.Version)}
	} else if c.beside.context, err = c.model.beside.Restore(with); err != nil {
		large, ok := errors.AsType[*MemoryError](err)
		if !ok {
			return err
		}
		c.beside.why = large
	}
	_, err = io.Copy(io.Discard, in)
	return err
}

// skip reads the rest without keeping it, and compares the checksum.
func (s *State) skip() error {
	for {
		ahead, err := s.raw.Peek(s.raw.Size())
		if left := int64(len(ahead)) - sha256.Size; left > 0 {
			if _, err := io.CopyN(io.Discard, s.in, left); err != nil {
				return err
			}
		} else if err != nil {
			return s.finish()
		}
	}
}

// context reads the content that the header describes. It checks sizes, which limit the memory; the
// checksum holds the rest.
func (s *State) context(m *Model) (*Context, error) {
	h, l := &s.header, m.bundle.Manifest.Limits
	if h.Columns < 1 || h.Columns > maxColumns || !h.Trees.Sound(h.Columns) {
		return nil, fmt.Errorf("it has %d features, or trees of others", h.Columns)
	}
	width := len(h.Trees.Kinds(make([]bool, h.Columns)))
	if h.Rows < l.MinRows || h.Rows > l.MaxRows || width > l.MaxFeatures {
		return nil, fmt.Errorf("its %d rows of %d features exceed the model", h.Rows, h.Columns)
	}
	if k := h.Classes; k != 0 && (k < 2 || k > m.bundle.Manifest.MostClasses()) {
		return nil, fmt.Errorf("its %d classes exceed the model", k)
	}
	c := &Context{model: m, rows: h.Rows, columns: h.Columns, trees: h.Trees, ensemble: none{},
		precision: cmp.Or(h.Precision, Float32), beside: newBeside(),
		target: target{tabicl.Target{Mean: h.Mean, SD: h.SD, Constant: h.Constant}, h.Classes}}
	if h.ClassRows != nil {
		c.hierarchy = newHierarchy(h.ClassRows, m.bundle.Manifest.Head.Levels)
	}
	switch {
	case h.Nodes != nil:
		return c, s.restoreNodes(c)
	case h.Fixed != nil:
		return c, c.restoreFixed(h.Fixed)
	}
	return c, s.restoreMembers(c)
}

// restoreFixed reads the distributions of a context without members.
func (c *Context) restoreFixed(fixed []json.RawMessage) (err error) {
	c.giveVoice(func(r role, h head) combiner {
		p, failed := h.restore(fixed[r])
		err = cmp.Or(err, failed)
		return always(p)
	})
	return err
}

// restoreMembers reads the ensemble and the tensors of its members.
func (s *State) restoreMembers(c *Context) error {
	e, tensors, err := c.model.family.restore(c.model, s, c.target.classes)
	if err != nil {
		return err
	}
	ports := c.model.caches
	if h := c.hierarchy; h != nil {
		columns := c.model.columnPorts()
		ports = h.ports(ports, columns)
		for b := range tensors {
			order := e.order(b)
			tensors[b] = h.shapes(c.model.caches, columns, e.features(), order)
		}
	}
	width := len(c.trees.Kinds(make([]bool, c.columns)))
	err = c.model.checkMemory(demand{rows: c.rows, widths: slices.Repeat([]int{width}, e.members()),
		encoded: true, tree: c.hierarchy})
	if err != nil {
		return err
	}
	for _, caches := range tensors {
		read, err := s.tensors(caches, ports)
		if err != nil {
			return err
		}
		c.encoded = append(c.encoded, read)
	}
	c.ensemble = e
	c.combine()
	return nil
}

// finish compares the checksum and checks for the end.
func (s *State) finish() error {
	sum := s.sum.Sum(nil)
	var want [sha256.Size]byte
	if _, err := io.ReadFull(s.raw, want[:]); err != nil {
		return err
	}
	if !bytes.Equal(sum, want[:]) {
		return errChecksum
	}
	if _, err := s.raw.ReadByte(); err != io.EOF {
		return errTrailing
	}
	return nil
}
