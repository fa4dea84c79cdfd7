// Command pack compresses bundles into the folder from which a program built with the tag packed
// embeds them. The two graphs of a bundle share weights, which are stored once. scripts/release.sh
// and scripts/wheels/build.sh run it:
//
//	go run ./models/pack models/packed models/default models/classifier
package main

import (
	"archive/zip"
	"bytes"
	"fmt"
	"log"
	"os"
	"path/filepath"
	"slices"

	"github.com/klauspost/compress/zstd"
)

// window is longer than an archive, so that a weight is found again wherever it was.
const window = 16 << 20

func main() {
	log.SetFlags(0)
	log.SetPrefix("pack: ")
	if len(os.Args) < 3 {
		log.Fatal("usage: pack FOLDER BUNDLE...")
	}
	for _, bundle := range os.Args[2:] {
		if err := pack(os.Args[1], bundle); err != nil {
			log.Fatal(err)
		}
	}
}

// pack writes the archive of a bundle into folder.
func pack(folder, bundle string) error {
	raw, err := archive(bundle)
	if err != nil {
		return err
	}
	encoder, err := zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedBestCompression),
		zstd.WithWindowSize(window), zstd.WithEncoderCRC(true))
	if err != nil {
		return err
	}
	small := encoder.EncodeAll(raw, nil)
	fmt.Printf("pack: %s: %.1f MB, compressed %.1f MB\n", bundle, float64(len(raw))/1e6,
		float64(len(small))/1e6)
	return os.WriteFile(filepath.Join(folder, filepath.Base(bundle)+".zst"), small, 0o644)
}

// archive is a zip file, not compressed, of the files that a bundle consists of.
func archive(bundle string) ([]byte, error) {
	var names []string
	for _, pattern := range []string{"*.json", "*.onnx", "LICENSE"} {
		found, err := filepath.Glob(filepath.Join(bundle, pattern))
		if err != nil {
			return nil, err
		}
		names = append(names, found...)
	}
	slices.Sort(names)
	var all bytes.Buffer
	w := zip.NewWriter(&all)
	for _, name := range names {
		content, err := os.ReadFile(name)
		if err != nil {
			return nil, err
		}
		file, err := w.CreateHeader(&zip.FileHeader{Name: filepath.Base(name), Method: zip.Store})
		if err == nil {
			_, err = file.Write(content)
		}
		if err != nil {
			return nil, err
		}
	}
	err := w.Close()
	return all.Bytes(), err
}
