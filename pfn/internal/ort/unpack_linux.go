package ort

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/klauspost/compress/zstd"
	"golang.org/x/sys/unix"
)

// A packed library is embedded in the program, see the command pack.
type packed struct {
	name   string // libonnxruntime.so.1.27.0
	sha256 string // of the library, lower-case hexadecimal
	data   []byte // the library, compressed with zstd
}

// newPacked reads the line "<sha256> <name>" for the data.
func newPacked(sum string, data []byte) packed {
	hash, name, _ := strings.Cut(strings.TrimSpace(sum), "  ")
	return packed{name: name, sha256: hash, data: data}
}

// writeTo decompresses the library into w and hashes it in parallel. It fails if the hash is wrong.
func (p packed) writeTo(w io.Writer) error {
	decoder, err := zstd.NewReader(bytes.NewReader(p.data), zstd.WithDecoderMaxWindow(64<<20))
	if err != nil {
		return err
	}
	defer decoder.Close()
	h := sha256.New()
	if _, err := io.Copy(io.MultiWriter(w, h), decoder); err != nil {
		return err
	}
	if sum := hex.EncodeToString(h.Sum(nil)); sum != p.sha256 {
		return fmt.Errorf("the embedded %s is damaged: its sha256 is %s, not %s", p.name, sum,
			p.sha256)
	}
	return nil
}

// toMemory writes the library into an anonymous file in memory, seals it against changes, and
// returns the name under which the loader can open it. The file stays open while the program runs.
func (p packed) toMemory() (string, error) {
	const flags = unix.MFD_CLOEXEC | unix.MFD_ALLOW_SEALING
	fd, err := unix.MemfdCreate(p.name, flags|unix.MFD_EXEC)
	if errors.Is(err, unix.EINVAL) { // MFD_EXEC is unknown before Linux 6.3
		fd, err = unix.MemfdCreate(p.name, flags)
	}
	if err != nil {
		return "", os.NewSyscallError("memfd_create", err)
	}
	path := fmt.Sprintf("/proc/self/fd/%d", fd)
	if err := p.fill(descriptor(fd), path); err != nil {
		unix.Close(fd)
		return "", err
	}
	return path, nil
}

// fill writes and seals the file, and checks that its path is accessible.
func (p packed) fill(fd descriptor, path string) error {
	if err := p.writeTo(fd); err != nil {
		return err
	}
	const seals = unix.F_SEAL_WRITE | unix.F_SEAL_GROW | unix.F_SEAL_SHRINK | unix.F_SEAL_SEAL
	if _, err := unix.FcntlInt(uintptr(fd), unix.F_ADD_SEALS, seals); err != nil {
		return os.NewSyscallError("fcntl", err)
	}
	_, err := os.Stat(path)
	return err
}

// A descriptor is an open file without a finalizer that would close it.
type descriptor int

func (d descriptor) Write(b []byte) (int, error) {
	for done := 0; done < len(b); {
		n, err := unix.Write(int(d), b[done:])
		if errors.Is(err, unix.EINTR) {
			continue
		}
		if err != nil {
			return done, os.NewSyscallError("write", err)
		}
		done += n
	}
	return len(b), nil
}
