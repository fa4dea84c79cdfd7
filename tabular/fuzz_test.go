package tabular

import (
	"path/filepath"
	"strings"
	"testing"
)

// fuzzFormat reads any bytes as a table of a format: rows, or an *Error in words of this package.
func fuzzFormat(f *testing.F, format Format) {
	for name, data := range victims(f) {
		if told, _ := ParseFormat(strings.TrimPrefix(filepath.Ext(name), ".")); told == format {
			f.Add(data)
		}
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		if bad := checkWords(readBytes(data, "fuzz", format)); bad != nil {
			t.Error(bad)
		}
	})
}

func FuzzParquet(f *testing.F) { fuzzFormat(f, Parquet) }

func FuzzArrowFile(f *testing.F) { fuzzFormat(f, ArrowFile) }

func FuzzArrowStream(f *testing.F) { fuzzFormat(f, ArrowStream) }
