package ground

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"sync/atomic"

	"github.com/klauspost/compress/zstd"
)

// Limits of unpacked text: beyond ExpandFree bytes, at most MaxExpand times its packed size. Tables
// shrink about 3 to 20 times, decompression bombs thousands of times.
const (
	MaxExpand  = 500
	ExpandFree = 64 << 20
)

// The first bytes of the files that are recognised.
var (
	magicGzip = []byte{0x1f, 0x8b}
	magicZstd = []byte{0x28, 0xb5, 0x2f, 0xfd}
	BOM       = []byte{0xef, 0xbb, 0xbf}
)

// Unpack returns a reader of the unpacked text. It starts no goroutine: nothing is to be closed.
func Unpack(in *bufio.Reader) (_ *bufio.Reader, err error) {
	head, _ := in.Peek(len(magicZstd))
	text := &expandReader{packed: &countReader{in: in}}
	kind := "gzip"
	switch {
	case bytes.HasPrefix(head, magicGzip):
		text.in, err = gzip.NewReader(text.packed)
	case bytes.HasPrefix(head, magicZstd):
		kind = "zstd"
		text.in, err = zstd.NewReader(text.packed, zstd.WithDecoderConcurrency(1),
			zstd.WithDecoderMaxWindow(128<<20), zstd.WithDecoderLowmem(true))
	default:
		return in, nil
	}
	if err != nil {
		return nil, &Error{Msg: "the file is not a readable " + kind + " file",
			Err: text.packed.unpacking(err), Hint: AgainHint}
	}
	return bufio.NewReader(text), nil
}

// countReader counts the bytes that went through it, and keeps the error of the input.
type countReader struct {
	in  io.Reader
	n   int64
	err error
}

// Read reads and counts.
func (r *countReader) Read(p []byte) (int, error) {
	n, err := r.in.Read(p)
	r.n += int64(n)
	if err != io.EOF {
		r.err = err
	}
	return n, err
}

// unpacking translates the error of a decompressor. Errors of the input stay as they are.
func (r *countReader) unpacking(err error) error {
	switch {
	case r.err != nil:
		return r.err
	case err == io.ErrUnexpectedEOF || err == io.EOF:
		return errors.New("the compressed text ends early")
	}
	return errors.New("the compressed data is damaged")
}

// expandReader refuses input that unpacks to more than the limit.
type expandReader struct {
	in     io.Reader
	packed *countReader
	n      int64
}

// Read reads until the limit is exceeded.
func (r *expandReader) Read(p []byte) (int, error) {
	n, err := r.in.Read(p)
	r.n += int64(n)
	if r.n > ExpandFree && r.n > MaxExpand*r.packed.n {
		return 0, &Error{
			Msg:  fmt.Sprintf("the file unpacks to more than %d times its size", MaxExpand),
			Hint: "unpack it first, if it is not a decompression bomb",
		}
	}
	if err != nil && err != io.EOF {
		err = r.packed.unpacking(err)
	}
	return n, err
}

// ShorterHint is the advice for a file that became shorter.
const ShorterHint = "retry when no other process writes to it"

// AgainHint is the advice for a file that cannot be read as what it says it is.
const AgainHint = "write or copy the file again; it may be cut short"

// ReadAt fills a buffer from a position in a file.
func ReadAt(f io.ReaderAt, b []byte, at int64) error {
	n, err := f.ReadAt(b, at)
	switch {
	case n == len(b):
		return nil
	case errors.Is(err, io.EOF):
		return errors.New("the file became shorter while pfnamp read it")
	}
	return err
}

// Footer reads the footer of a file, of at most so many bytes, and returns its position. Behind it
// are its length in 4 bytes and a magic number, with which the file begins too. kind is the format
// with its article.
func Footer(f *io.SectionReader, magic, kind string, most int64) ([]byte, int64, error) {
	tail := make([]byte, 4+len(magic))
	end := f.Size() - int64(len(tail))
	if end < int64(len(magic)) {
		return nil, 0, errors.New("the file is too short")
	}
	if err := ReadAt(f, tail, end); err != nil {
		return nil, 0, err
	}
	if string(tail[4:]) != magic {
		return nil, 0, errors.New("the file is cut off: it does not end like " + kind + " file")
	}
	n := int64(binary.LittleEndian.Uint32(tail))
	if n == 0 || n > most || n > end-int64(len(magic)) {
		return nil, 0, fmt.Errorf("the footer has %d bytes, the file %d", n, f.Size())
	}
	footer := make([]byte, n)
	return footer, end - n, ReadAt(f, footer, end-n)
}

// Whole reads an input of known size. It fails if the input ends earlier, because rows would be
// missing.
type Whole struct {
	In   io.Reader
	Size int64
	read atomic.Int64
}

// Read reads the next bytes.
func (r *Whole) Read(p []byte) (int, error) {
	n, err := r.In.Read(p)
	read := r.read.Add(int64(n))
	if err == io.EOF && read < r.Size {
		err = &Error{Hint: ShorterHint, Msg: fmt.Sprintf(
			"the file became shorter while pfnamp read it: %d of %d bytes", read, r.Size)}
	}
	return n, err
}

// Share returns the part that has been read, in [0, 1], or NaN if the size is 0. It is safe for
// concurrent use.
func (r *Whole) Share() float64 {
	if r.Size == 0 {
		return math.NaN()
	}
	return min(1, float64(r.read.Load())/float64(r.Size))
}
