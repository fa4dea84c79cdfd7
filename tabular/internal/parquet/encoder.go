package parquet

import (
	"github.com/pfnamp/pfnamp/tabular/internal/ground"

	"bytes"
	"encoding/base64"
	"fmt"
	"io"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/ipc"
	"github.com/apache/arrow-go/v18/parquet"
	"github.com/apache/arrow-go/v18/parquet/compress"
	"github.com/apache/arrow-go/v18/parquet/pqarrow"
)

// createdBy names the writer in the footer of a Parquet file. It has no version, so that two
// versions write equal files for equal content.
const createdBy = "pfnamp"

// encoder writes Parquet, compressed with zstd, with one row group per batch. Like Arrow
// writers, it keeps the Arrow types in the footer, so that reading restores them.
type encoder struct {
	writer *pqarrow.FileWriter
	schema *arrow.Schema // of the stored columns
}

// onlyWriter hides Close from a library that would close the writer.
type onlyWriter struct{ io.Writer }

// NewEncoder prepares a file with the given metadata in its footer.
func NewEncoder(w io.Writer, to ground.Output) (ground.Encoder, error) {
	if err := registerCodecs(); err != nil {
		return nil, err
	}
	options := []parquet.WriterProperty{parquet.WithVersion(parquet.V2_LATEST),
		parquet.WithCompression(compress.Codecs.Zstd), parquet.WithCreatedBy(createdBy)}
	fields := to.Schema.Fields()
	for i, f := range fields {
		t, err := parquetStorage(f.Type)
		if err != nil {
			return nil, &ground.Error{Column: f.Name, Msg: err.Error()}
		}
		fields[i].Type = t
		if arrow.IsFloating(t.ID()) { // values are rarely repeated
			options = append(options,
				parquet.WithDictionaryPath(parquet.ColumnPath{f.Name}, false))
		}
	}
	e := &encoder{schema: arrow.NewSchema(fields, nil)}
	var err error
	e.writer, err = pqarrow.NewFileWriter(e.schema, onlyWriter{w},
		parquet.NewWriterProperties(options...), pqarrow.DefaultWriterProps())
	if err != nil {
		return nil, err
	}
	kept := map[string]string{} // also in the stored schema, for readers that know Arrow
	for i, key := range to.Metadata.Keys() {
		kept[key] = to.Metadata.Values()[i]
		if err := e.writer.AppendKeyValueMetadata(key, to.Metadata.Values()[i]); err != nil {
			return nil, err
		}
	}
	also := arrow.MetadataFrom(kept)
	var stored bytes.Buffer // a stream without batches
	schema := arrow.NewSchema(to.Schema.Fields(), &also)
	if err := ipc.NewWriter(&stored, ipc.WithSchema(schema)).Close(); err != nil {
		return nil, err
	}
	return e, e.writer.AppendKeyValueMetadata(SchemaKey,
		base64.StdEncoding.EncodeToString(stored.Bytes()))
}

// parquetStorage returns the Arrow type that stores a column of type t: t itself if Parquet has a
// type with the same values.
func parquetStorage(t arrow.DataType) (arrow.DataType, error) {
	switch t := t.(type) {
	case *arrow.StringViewType:
		return arrow.BinaryTypes.String, nil
	case *arrow.BinaryViewType:
		return arrow.BinaryTypes.Binary, nil
	case *arrow.DurationType:
		return arrow.PrimitiveTypes.Int64, nil
	case *arrow.Decimal32Type, *arrow.Decimal64Type:
		return nil, fmt.Errorf("columns of type %s cannot be written to Parquet", t)
	case *arrow.DictionaryType:
		return parquetStorage(t.ValueType)
	}
	return t, nil
}

// Write appends a batch as a row group.
func (e *encoder) Write(rec arrow.RecordBatch) error {
	stored, err := ground.Stored(e.schema, rec)
	if err != nil {
		return err
	}
	defer stored.Release()
	return e.writer.Write(stored)
}

// Close writes the footer.
func (e *encoder) Close() error { return e.writer.Close() }
