package tabular

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
)

// arrowMagic is at both ends of an Arrow file.
const arrowMagic = "ARROW1"

// Slots and sizes of the tables in Arrow's File.fbs.
const (
	footerDictionaries, footerBatches = 2, 3
	blockSize                         = 24
)

// arrowBlock is the place of a message in an Arrow file: its metadata, framed, then its body.
type arrowBlock struct{ offset, meta, body int64 }

// openArrowFile opens an Arrow IPC file. A file that holds an Arrow stream in spite of its name
// is read as one.
func openArrowFile(path string, opt ReadOptions) (_ source, err error) {
	defer recoverDamage(path, &err)
	f, size, err := openRegular(path)
	if err != nil {
		return nil, err
	}
	var head [8]byte
	n, _ := f.ReadAt(head[:], 0)
	switch {
	case bytes.HasPrefix(head[:n], []byte(arrowMagic)):
	case bytes.HasPrefix(head[:n], []byte{0xff, 0xff, 0xff, 0xff}):
		return openArrowStream(f, path, opt)
	case bytes.HasPrefix(head[:n], []byte("FEA1")):
		f.Close()
		return nil, &Error{File: path, Msg: "Feather version 1 is not supported",
			Hint: "write it again as Feather version 2, which is an Arrow file"}
	default:
		f.Close()
		return nil, &Error{File: path, Msg: "not an Arrow file"}
	}
	s, err := openArrowBlocks(f, size, path, opt)
	if err != nil {
		f.Close()
		return nil, &Error{File: path, Msg: "not a readable Arrow file", Err: err}
	}
	return s, nil
}

// openArrowBlocks reads schema and footer and checks where the footer says the messages are.
func openArrowBlocks(f *os.File, size int64, name string, opt ReadOptions) (source, error) {
	blocks, err := readArrowFooter(f, size)
	if err != nil {
		return nil, err
	}
	meta, err := readMetadata(io.NewSectionReader(f, 8, size-8))
	if err != nil {
		return nil, err
	}
	sc, err := parseArrowSchema(meta)
	if err != nil {
		return nil, err
	}
	s := newArrowSource(name, sc, opt)
	s.closer = f
	s.total = 0
	for _, b := range blocks {
		msg, err := b.header(f)
		if err != nil {
			return nil, err
		}
		if msg.kind == headerRecordBatch {
			rows, err := msg.header.scalar(batchLength, 8, 0)
			if err != nil || rows < 0 {
				return nil, fmt.Errorf("batch of %d rows", rows)
			}
			s.total += rows
		}
	}
	s.message = func() (arrowMessage, error) {
		if len(blocks) == 0 {
			return arrowMessage{}, io.EOF
		}
		b := blocks[0]
		blocks = blocks[1:]
		msg, err := b.header(f)
		if err == nil {
			msg.body = make([]byte, b.body) // the block is known to lie in the file
			_, err = f.ReadAt(msg.body, b.offset+b.meta)
		}
		return msg, err
	}
	return s, nil
}

// header reads the message of a block without its body.
func (b arrowBlock) header(f io.ReaderAt) (arrowMessage, error) {
	meta, err := readMetadata(io.NewSectionReader(f, b.offset, b.meta))
	if err != nil {
		return arrowMessage{}, unexpectedEOF(err)
	}
	msg, size, err := parseMessage(meta)
	if err == nil && size > b.body {
		err = fmt.Errorf("body of %d bytes in a block of %d", size, b.body)
	}
	return msg, err
}

// readArrowFooter returns the blocks of a file: those of the dictionaries, then those of the
// record batches, in order. Blocks lie inside the file, and are no larger together than it is.
func readArrowFooter(f io.ReaderAt, size int64) ([]arrowBlock, error) {
	var tail [10]byte // length of the footer, magic
	if size < int64(len(arrowMagic)+len(tail)) {
		return nil, errors.New("file is too short")
	}
	if _, err := f.ReadAt(tail[:], size-10); err != nil {
		return nil, err
	}
	if string(tail[4:]) != arrowMagic {
		return nil, errors.New("file is cut off: it does not end as an Arrow file does")
	}
	n := int64(binary.LittleEndian.Uint32(tail[:]))
	if n < 8 || n > maxMetadata || n > size-18 {
		return nil, fmt.Errorf("footer of %d bytes", n)
	}
	footer := make([]byte, n)
	if _, err := f.ReadAt(footer, size-10-n); err != nil {
		return nil, err
	}
	root, err := fbRoot(footer)
	if err != nil {
		return nil, err
	}
	var blocks []arrowBlock
	left := size
	for _, slot := range []int{footerDictionaries, footerBatches} {
		v, err := root.vector(slot, blockSize)
		if err != nil {
			return nil, err
		}
		for i := range v.n {
			b := arrowBlock{v.int64(blockSize * i), v.int64(blockSize*i+8) & 0xffffffff,
				v.int64(blockSize*i + 16)}
			if b.offset < 8 || b.meta < 8 || b.body < 0 || b.meta > left ||
				b.body > left-b.meta || b.offset > size-b.meta-b.body {
				return nil, fmt.Errorf("message of %d+%d bytes at %d in a file of %d",
					b.meta, b.body, b.offset, size)
			}
			left -= b.meta + b.body
			blocks = append(blocks, b)
		}
	}
	return blocks, nil
}
