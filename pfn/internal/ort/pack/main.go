// Command pack compresses an onnxruntime library into the folder from which a program built with
// the tag embedort embeds it. scripts/tools/release.sh runs it:
//
//	go run ./pfn/internal/ort/pack build/lib/pfnamp/libonnxruntime.so.1.27.0 \
//		pfn/internal/ort/embedded
//
// It writes libonnxruntime.zst and libonnxruntime.sha256, the hash and the name of the library.
package main

import (
	"crypto/sha256"
	"fmt"
	"log"
	"os"
	"path/filepath"

	"github.com/klauspost/compress/zstd"
)

func main() {
	log.SetFlags(0)
	log.SetPrefix("pack: ")
	if len(os.Args) != 3 {
		log.Fatal("usage: pack LIBRARY FOLDER")
	}
	if err := pack(os.Args[1], os.Args[2]); err != nil {
		log.Fatal(err)
	}
}

func pack(library, folder string) error {
	raw, err := os.ReadFile(library)
	if err != nil {
		return err
	}
	encoder, err := zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedBestCompression),
		zstd.WithWindowSize(32<<20), zstd.WithEncoderCRC(true))
	if err != nil {
		return err
	}
	small := encoder.EncodeAll(raw, nil)
	sum := fmt.Sprintf("%x  %s\n", sha256.Sum256(raw), filepath.Base(library))
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return err
	}
	err = os.WriteFile(filepath.Join(folder, "libonnxruntime.zst"), small, 0o644)
	if err != nil {
		return err
	}
	err = os.WriteFile(filepath.Join(folder, "libonnxruntime.sha256"), []byte(sum), 0o644)
	if err != nil {
		return err
	}
	fmt.Printf("pack: %s: %.1f MB, compressed %.1f MB\n", filepath.Base(library),
		float64(len(raw))/1e6, float64(len(small))/1e6)
	return nil
}
