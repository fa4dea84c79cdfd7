package ort

import (
	"crypto/sha256"
	"encoding/hex"
	"io"
	"os"
)

// fileSHA256 returns the hash of a file in lower-case hexadecimal.
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
