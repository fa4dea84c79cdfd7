package ort

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/klauspost/compress/zstd"

	"github.com/pfnamp/pfnamp/internal/atomicfile"
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

// unpack makes the library loadable and returns its path. It unpacks into memory if the system can
// load from memory, which needs no writable disk, else into dir. It always verifies the hash.
func (p packed) unpack(dir string) (string, error) {
	path, err := p.toMemory()
	if err == nil {
		return path, nil
	}
	if dir == "" {
		return "", fmt.Errorf("unpacking %s: %w, and there is no cache folder", p.name, err)
	}
	path, diskErr := p.toFolder(dir)
	if diskErr != nil {
		return "", fmt.Errorf("unpacking %s: %w", p.name, errors.Join(err, diskErr))
	}
	return path, nil
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

// toFolder writes the library to <dir>/<version>-<hash>/<name>, completely or not at all, unless it
// exists already. Only the user can write to the folders.
func (p packed) toFolder(dir string) (string, error) {
	if len(p.sha256) != 2*sha256.Size {
		return "", fmt.Errorf("the embedded %s has no hash", p.name)
	}
	version := strings.Trim(fmt.Sprint(versionOf(p.name)), "[]")
	dir = filepath.Join(dir, strings.ReplaceAll(version, " ", ".")+"-"+p.sha256[:12])
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return "", err
	}
	ort := filepath.Dir(dir)
	if err := private(filepath.Dir(ort), ort, dir); err != nil {
		return "", err
	}
	path := filepath.Join(dir, p.name)
	if sum, err := fileSHA256(path); err == nil && sum == p.sha256 {
		return path, nil
	}
	return path, p.replace(path)
}

func (p packed) replace(path string) error {
	f, err := atomicfile.Replace(path, 0o500)
	if err != nil {
		return err
	}
	defer f.Abort()
	if err := p.writeTo(f); err != nil {
		return err
	}
	return f.Commit()
}

func fileSHA256(path string) (string, error) {
	f, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer f.Close()
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		return "", err
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}
