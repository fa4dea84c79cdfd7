package tabular

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// corpus lists the files of a folder of the corpora, and skips the test where there are none.
func corpus(t *testing.T, folder string) []string {
	all, err := filepath.Glob(filepath.Join("../../shared/data/corpora", folder, "*"))
	if err != nil {
		t.Fatal(err)
	}
	files := slices.DeleteFunc(all, func(path string) bool {
		info, err := os.Stat(path)
		return err != nil || !info.Mode().IsRegular()
	})
	if len(files) == 0 {
		t.Skipf("the corpora are not there: %s", folder)
	}
	return files
}

// TestHostileCorpora reads every hostile file: rows or one clear error.
func TestHostileCorpora(t *testing.T) {
	for folder, format := range map[string]Format{"arrow-file-fuzz": ArrowFile,
		"arrow-stream-fuzz": ArrowStream, "parquet-bad": Parquet, "parquet-fuzz": Parquet,
		"csv-fuzz": CSV} {
		t.Run(folder, func(t *testing.T) {
			files := corpus(t, folder)
			rows, refused := 0, 0
			for _, res := range readFiles(t, format, files) {
				if res.Error == "" {
					rows++
				} else {
					refused++
				}
			}
			t.Logf("%d files: %d read, %d refused", len(files), rows, refused)
			if rows+refused != len(files) {
				t.Errorf("%d of %d files accounted for", rows+refused, len(files))
			}
		})
	}
}
