package tabular

import (
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/apache/arrow-go/v18/arrow"
)

// goodParquet is what becomes of each file of parquet-good: the number of rows, or a part of
// the error after "!".
func goodParquet() map[string]string {
	return map[string]string{
		"alltypes_dictionary.parquet": "2", "alltypes_plain.parquet": "8",
		"alltypes_plain.snappy.parquet": "2", "binary.parquet": "12",
		"binary_truncated_min_max.parquet": "12", "byte_array_decimal.parquet": "24",
		"byte_stream_split.zstd.parquet":                 "300",
		"byte_stream_split_extended.gzip.parquet":        "200",
		"column_chunk_key_value_metadata.parquet":        "0",
		"concatenated_gzip_members.parquet":              "513",
		"data_index_bloom_encoding_stats.parquet":        "14",
		"data_index_bloom_encoding_with_length.parquet":  "14",
		"datapage_v1-corrupt-checksum.parquet":           "!checksum",
		"datapage_v1-snappy-compressed-checksum.parquet": "5120",
		"datapage_v1-uncompressed-checksum.parquet":      "5120",
		"datapage_v2.snappy.parquet":                     "5",
		"datapage_v2_empty_datapage.snappy.parquet":      "1",
		"delta_binary_packed.parquet":                    "200",
		"delta_byte_array.parquet":                       "1000",
		"delta_encoding_optional_column.parquet":         "100",
		"delta_encoding_required_column.parquet":         "100",
		"delta_length_byte_array.parquet":                "1000",
		"dict-page-offset-zero.parquet":                  "39",
		"fixed_length_byte_array.parquet":                "1000",
		"fixed_length_decimal.parquet":                   "24",
		"fixed_length_decimal_legacy.parquet":            "24",
		"float16_nonzeros_and_nans.parquet":              "8",
		"float16_zeros_and_nans.parquet":                 "3",
		"floating_orders_nan_count.parquet":              "50",
		"hadoop_lz4_compressed.parquet":                  "4",
		"incorrect_map_schema.parquet":                   "1",
		"int32_decimal.parquet":                          "24",
		"int32_with_null_pages.parquet":                  "1000",
		"int64_decimal.parquet":                          "24",
		"int96_from_spark.parquet":                       "6",
		"large_string_map.brotli.parquet":                "2",
		"list_columns.parquet":                           "3",
		"lz4_raw_compressed.parquet":                     "4",
		"map_no_value.parquet":                           "3",
		"nan_in_stats.parquet":                           "2",
		"nation.dict-malformed.parquet":                  "25",
		"nested_lists.snappy.parquet":                    "3",
		"nested_maps.snappy.parquet":                     "6",
		"nested_structs.rust.parquet":                    "1",
		"non_hadoop_lz4_compressed.parquet":              "4",
		"nonnullable.impala.parquet":                     "1",
		"null_list.parquet":                              "1",
		"nullable.impala.parquet":                        "7",
		"nulls.snappy.parquet":                           "8",
		"old_list_structure.parquet":                     "1",
		"page_v2_empty_compressed.parquet":               "10",
		"plain-dict-uncompressed-checksum.parquet":       "1000",
		"repeated_no_annotation.parquet":                 "6",
		"repeated_primitive_no_list.parquet":             "4",
		"rle-dict-snappy-checksum.parquet":               "1000",
		"rle-dict-uncompressed-corrupt-checksum.parquet": "!checksum",
		"rle_boolean_encoding.parquet":                   "68",
		"single_nan.parquet":                             "1",
		"sort_columns.parquet":                           "6",
		"unknown-logical-type.parquet":                   "3",
	}
}

// TestGoodParquet reads every good file and compares the number of rows; a file that the table
// does not know is a failure, so that none goes untested.
func TestGoodParquet(t *testing.T) {
	want := goodParquet()
	for path, res := range readFiles(t, Parquet, corpus(t, "parquet-good")) {
		expected, known := want[filepath.Base(path)]
		part, refused := strings.CutPrefix(expected, "!")
		switch {
		case !known:
			t.Errorf("%s is new: %d rows, error %q", filepath.Base(path), res.Rows, res.Error)
		case refused && !strings.Contains(res.Error, part):
			t.Errorf("%s: error %q, want %q", path, res.Error, part)
		case !refused && (res.Error != "" || strconv.FormatInt(res.Rows, 10) != expected):
			t.Errorf("%s: %d rows, error %q, want %s rows", path, res.Rows, res.Error, expected)
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
		"hadoop_lz4_compressed.parquet": lz4, "non_hadoop_lz4_compressed.parquet": lz4,
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
		"unknown-logical-type.parquet": "BYTE_ARRAY of unknown logical type",
		"datapage_v2.snappy.parquet":   "list<list>",
		"nulls.snappy.parquet":         "struct<b_c_int>",
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
