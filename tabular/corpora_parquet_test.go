package tabular

import (
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/apache/arrow-go/v18/arrow"
)

// TestGoodParquet reads every good file: as many rows as its footer says, except those with a wrong
// checksum, in a codec that no longer exists, and with a type of the future.
func TestGoodParquet(t *testing.T) {
	refused := map[string]string{"corrupt-checksum": "checksum", "hadoop_lz4": "packed by LZ4",
		"unknown-logical-type": "a logical type that pfnamp does not know"}
	for path, res := range readFiles(t, Parquet, corpus(t, "parquet-good")) {
		want := ""
		for part, words := range refused {
			if strings.Contains(path, part) {
				want = words
			}
		}
		if want != "" {
			if !strings.Contains(res.Error, want) {
				t.Errorf("%s: error %q, want %q", path, res.Error, want)
			}
			continue
		}
		rows, err := Count(t.Context(), path, ReadOptions{})
		if err != nil || res.Error != "" || res.Rows != rows {
			t.Errorf("%s: %d of %d rows, error %q, %v", path, res.Rows, rows, res.Error, err)
		}
	}
}

// TestGoodParquetCells compares cells with what the collection's documentation says of them.
func TestGoodParquetCells(t *testing.T) {
	files := corpus(t, "parquet-good")
	decimals := ""
	for i := range 24 {
		decimals += strconv.Itoa(i+1) + "|"
	}
	lz4 := []string{"1593604800|1593604800|1593604801|1593604801|", "", "42|7.7|42.125|7.7|"}
	for name, want := range map[string][]string{
		"alltypes_plain.parquet": {"4|5|6|7|2|3|0|1|",
			"true|false|true|false|true|false|true|false|", "0|1|0|1|0|1|0|1|"},
		"alltypes_dictionary.parquet":   {"0|1|", "true|false|"},
		"alltypes_plain.snappy.parquet": {"6|7|"},
		"int32_decimal.parquet":         {decimals}, "int64_decimal.parquet": {decimals},
		"byte_array_decimal.parquet":   {decimals},
		"fixed_length_decimal.parquet": {decimals}, "fixed_length_decimal_legacy.parquet": {
			decimals},
		"datapage_v2.snappy.parquet": {"abc|abc|abc|(null)|abc|", "1|2|3|4|5|", "2|3|4|5|2|",
			"true|true|true|false|true|"},
		"lz4_raw_compressed.parquet":        lz4,
		"float16_nonzeros_and_nans.parquet": {"(null)|1|-2|NaN|0|-1|-0|2|"},
		"float16_zeros_and_nans.parquet":    {"(null)|0|NaN|"},
		"int96_from_spark.parquet": {"2024-01-01T20:34:56.123456|2024-01-01T01:00:00|" +
			"9999-12-31T03:00:00|2024-12-30T23:00:00|(null)|9089380393200000000|"},
	} {
		at := slices.IndexFunc(files, func(f string) bool { return filepath.Base(f) == name })
		if at < 0 {
			continue
		}
		res := readFile(files[at], Parquet)
		for i, cells := range want {
			if cells != "" && (i >= len(res.Cells) || !strings.HasPrefix(res.Cells[i], cells)) {
				t.Errorf("%s: column %d is %q, want %q", name, i+1, res.Cells, cells)
			}
		}
	}
}

// TestUnsupportedColumns checks that a column that is not represented stands in the schema with
// a type that tells what it is, and that the others are read.
func TestUnsupportedColumns(t *testing.T) {
	files := corpus(t, "parquet-good")
	for name, want := range map[string]string{
		"datapage_v2.snappy.parquet": "list<element: int32>",
		"nulls.snappy.parquet":       "struct<b_c_int: int32 nullable>",
	} {
		at := slices.IndexFunc(files, func(f string) bool { return filepath.Base(f) == name })
		if at < 0 {
			continue
		}
		r, err := Open(files[at], ReadOptions{})
		if err != nil {
			t.Fatal(err)
		}
		defer r.Close()
		i := slices.IndexFunc(r.Schema().Fields(), func(f arrow.Field) bool {
			_, ok := f.Type.(*UnsupportedType)
			return ok
		})
		if i < 0 || r.Schema().Field(i).Type.String() != want {
			t.Errorf("%s: schema is %s, want a column of type %s", name, r.Schema(), want)
		}
	}
}
