package output

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"io"
	"os"

	"github.com/pfnamp/pfnamp/cmd/pfnamp/internal/stdio"
)

// FileResult is a file; what is no regular file has neither size nor hash.
type FileResult struct {
	File   string `json:"file"`
	Bytes  *int64 `json:"bytes,omitempty"`
	SHA256 string `json:"sha256,omitempty"`
}

// FileFacts reads a file again for its size and hash.
func FileFacts(path string) (FileResult, error) {
	f := FileResult{File: path}
	if info, err := os.Stat(path); path == "-" || err != nil || !info.Mode().IsRegular() {
		return f, nil
	}
	file, err := os.Open(path)
	if err != nil {
		return f, err
	}
	defer file.Close()
	hash := sha256.New()
	n, err := io.Copy(hash, file)
	f.Bytes, f.SHA256 = &n, hex.EncodeToString(hash.Sum(nil))
	return f, err
}

// AllFacts are those of several files.
func AllFacts(paths []string) ([]FileResult, error) {
	all := []FileResult{}
	for _, path := range paths {
		facts, err := FileFacts(path)
		if err != nil {
			return nil, err
		}
		all = append(all, facts)
	}
	return all, nil
}

// WriteJSON is WriteFile of a value.
func WriteJSON(ctx context.Context, path string, v any) error {
	return WriteFile(ctx, path, func(w io.Writer) error { return stdio.JSON(w, v) })
}
