package main

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"io"
	"os"

	"github.com/pfnamp/pfnamp/cmd/pfnamp/internal/fault"
)

// fileResult is a file; what is no regular file has neither size nor hash.
type fileResult struct {
	File   string `json:"file"`
	Bytes  *int64 `json:"bytes,omitempty"`
	SHA256 string `json:"sha256,omitempty"`
}

// columnResult is a column of the output and its Arrow type.
type columnResult struct {
	Name string `json:"name"`
	Type string `json:"type"`
}

// fileFacts reads a file again for its size and hash.
func fileFacts(path string) (fileResult, error) {
	f := fileResult{File: path}
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

// allFacts are those of several files.
func allFacts(paths []string) ([]fileResult, error) {
	all := []fileResult{}
	for _, path := range paths {
		facts, err := fileFacts(path)
		if err != nil {
			return nil, err
		}
		all = append(all, facts)
	}
	return all, nil
}

// writeJSON writes a value to a file, which appears complete or not at all.
func writeJSON(ctx context.Context, path string, v any) error {
	return commitTogether(documentAt(ctx, path, func(w io.Writer) error { return encodeJSON(w, v) }))
}

// encodeJSON prints a value as one line.
func encodeJSON(w io.Writer, v any) error {
	encoder := json.NewEncoder(w)
	encoder.SetEscapeHTML(false)
	return fault.Writing(encoder.Encode(v))
}
