package parquet

import (
	"bytes"
	"encoding/base64"
	"strings"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/parquet/metadata"

	"github.com/pfnamp/pfnamp/tabular/internal/arrowguard"
	"github.com/pfnamp/pfnamp/tabular/internal/ground"
)

// SchemaKey is the key under which Arrow writers keep the Arrow schema of a Parquet file.
const SchemaKey = "ARROW:schema"

// OriginSchema returns the Arrow schema that an Arrow writer left in the file, nil if there is none
// or it is not readable.
func OriginSchema(meta *metadata.FileMetaData) *arrow.Schema {
	value := meta.KeyValueMetadata().FindValue(SchemaKey)
	if value == nil {
		return nil
	}
	text := strings.TrimRight(*value, "=")
	raw, err := base64.RawStdEncoding.DecodeString(text)
	if err != nil {
		return nil
	}
	r, err := arrowguard.NewStream(bytes.NewReader(raw)).Open()
	if err != nil {
		return nil
	}
	return r.Schema()
}

// restoreField gives a column the Arrow type that it had when it was written, if the values are the
// same in both types.
func restoreField(f *arrow.Field, origin arrow.Field) {
	if origin.Name != f.Name || !ground.FlatType(origin.Type) {
		return
	}
	switch t := origin.Type.(type) {
	case *arrow.DictionaryType:
		if arrow.TypeEqual(t.ValueType, f.Type) {
			f.Type = t
		}
	case *arrow.LargeStringType:
		if f.Type.ID() == arrow.STRING {
			f.Type = t
		}
	case *arrow.LargeBinaryType:
		if f.Type.ID() == arrow.BINARY {
			f.Type = t
		}
	case *arrow.DurationType:
		if f.Type.ID() == arrow.INT64 {
			f.Type = t
		}
	case *arrow.TimestampType:
		now, ok := f.Type.(*arrow.TimestampType)
		if ok && (now.TimeZone == "") == (t.TimeZone == "") && coarser(t.Unit, now.Unit) {
			f.Type = t
		}
	case *arrow.Time32Type:
		if now, ok := f.Type.(*arrow.Time32Type); ok && coarser(t.Unit, now.Unit) {
			f.Type = t
		}
	case *arrow.Date64Type:
		if f.Type.ID() == arrow.DATE32 {
			f.Type = t
		}
	}
}

// coarser reports whether values of a unit are stored in another: in the same, or seconds in
// milliseconds, because Parquet does not have seconds.
func coarser(unit, stored arrow.TimeUnit) bool {
	return unit == stored || unit == arrow.Second && stored == arrow.Millisecond
}
