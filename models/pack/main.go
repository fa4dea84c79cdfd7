// Command pack compresses the embedded bundles into a folder, from which a program built with the
// tag packed embeds them. Weights that the graphs of a bundle share are stored once.
// scripts/tools/release.sh and scripts/tools/wheels/build.sh run it:
//
//	go run ./models/pack models/packed
package main

import (
	"archive/zip"
	"bytes"
	"fmt"
	"io/fs"
	"log"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"github.com/klauspost/compress/zstd"

	"github.com/pfnamp/pfnamp/models"
)

// window is larger than an archive, so that repeated weights are found at any distance.
const window = 16 << 20

func main() {
	log.SetFlags(0)
	log.SetPrefix("pack: ")
	if len(os.Args) != 2 {
		log.Fatal("usage: pack FOLDER")
	}
	bundles, err := models.EmbeddedFiles()
	if err != nil {
		log.Fatal(err)
	}
	for _, name := range slices.Sorted(maps.Keys(bundles)) {
		if err := pack(os.Args[1], name, bundles[name]); err != nil {
			log.Fatal(err)
		}
	}
}

func pack(folder, name string, files fs.FS) error {
	raw, err := archive(files)
	if err != nil {
		return err
	}
	encoder, err := zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedBestCompression),
		zstd.WithWindowSize(window), zstd.WithEncoderCRC(true))
	if err != nil {
		return err
	}
	small := encoder.EncodeAll(raw, nil)
	fmt.Printf("pack: %s: %.1f MB, compressed %.1f MB\n", name, float64(len(raw))/1e6,
		float64(len(small))/1e6)
	return os.WriteFile(filepath.Join(folder, name+".zst"), small, 0o644)
}

// archive returns an uncompressed zip file with the files of a bundle.
func archive(files fs.FS) ([]byte, error) {
	names, err := fs.Glob(files, "*")
	if err != nil {
		return nil, err
	}
	var all bytes.Buffer
	w := zip.NewWriter(&all)
	for _, name := range names {
		content, err := fs.ReadFile(files, name)
		if err != nil {
			return nil, err
		}
		file, err := w.CreateHeader(&zip.FileHeader{Name: name, Method: zip.Store})
		if err == nil {
			_, err = file.Write(content)
		}
		if err != nil {
			return nil, err
		}
	}
	err = w.Close()
	return all.Bytes(), err
}
