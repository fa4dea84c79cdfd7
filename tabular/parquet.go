package tabular

import parquetreader "github.com/pfnamp/pfnamp/tabular/internal/parquet"

// parquetFormat is Apache Parquet.
func parquetFormat() fileFormat {
	return fileFormat{format: Parquet, name: "parquet", also: []string{"pq"}, ends: true, keeps: true,
		whole: true,
		files: []fileName{{extension: ".parquet", media: "application/vnd.apache.parquet"},
			{extension: ".pq"}},
		begins: parquetreader.Begins,
		open:   openParquet, create: newParquetEncoder}
}

// openParquet opens a Parquet file.
func openParquet(in input, name string, opt ReadOptions) (source, error) {
	s, err := parquetreader.Open(in.file, opt.ground())
	return apartFrom(s, name, err)
}
