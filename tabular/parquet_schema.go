package tabular

import (
	"encoding/base64"
	"fmt"
	"strings"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/extensions"
	"github.com/apache/arrow-go/v18/parquet"
	"github.com/apache/arrow-go/v18/parquet/metadata"
	"github.com/apache/arrow-go/v18/parquet/schema"
)

// arrowSchemaKey is the key under which Arrow writers keep the Arrow schema of a Parquet file.
const arrowSchemaKey = "ARROW:schema"

// parquetFields maps the columns at the top level of a Parquet schema to Arrow fields, and to
// the numbers of their leaves, -1 where a column is not represented.
func parquetFields(meta *parquetFooter) ([]arrow.Field, []int) {
	root := meta.Schema.Root()
	fields := make([]arrow.Field, root.NumFields())
	leaves := make([]int, root.NumFields())
	origin := originSchema(meta.FileMetaData)
	next := 0
	for i := range fields {
		node := root.Field(i)
		leaf := next
		next += leafCount(node)
		typ, err := parquetType(node)
		if err == nil && meta.unknown[leaf] {
			err = fmt.Errorf("%s of unknown logical type", leafKind(node))
		}
		if err == nil && encryptedLeaf(meta.FileMetaData, leaf) {
			err = fmt.Errorf("encrypted %s", parquetName(node))
		}
		leaves[i] = leaf
		fields[i] = arrow.Field{Name: node.Name(), Type: typ,
			Nullable: node.RepetitionType() != parquet.Repetitions.Required}
		if err != nil {
			fields[i].Type, leaves[i] = newUnsupported(err.Error()), -1
		} else if origin != nil && origin.NumFields() == len(fields) {
			restoreField(&fields[i], origin.Field(i))
		}
	}
	return fields, leaves
}

// leafKind is the physical type of a leaf.
func leafKind(n schema.Node) string {
	if leaf, ok := n.(*schema.PrimitiveNode); ok {
		return leaf.PhysicalType().String()
	}
	return parquetName(n)
}

// leafCount is the number of leaves at and below a node.
func leafCount(n schema.Node) int {
	group, ok := n.(*schema.GroupNode)
	if !ok {
		return 1
	}
	count := 0
	for i := range group.NumFields() {
		count += leafCount(group.Field(i))
	}
	return count
}

// encryptedLeaf tells whether any chunk of a leaf is encrypted.
func encryptedLeaf(meta *metadata.FileMetaData, leaf int) bool {
	for _, group := range meta.GetRowGroups() {
		if group.Columns[leaf].IsSetCryptoMetadata() {
			return true
		}
	}
	return false
}

// parquetName describes the type of a node: the physical type and the annotation.
func parquetName(n schema.Node) string {
	var s strings.Builder
	switch n := n.(type) {
	case *schema.PrimitiveNode:
		s.WriteString(n.PhysicalType().String())
		if n.PhysicalType() == parquet.Types.FixedLenByteArray {
			fmt.Fprintf(&s, "(%d)", n.TypeLength())
		}
		if l := n.LogicalType(); !l.IsValid() {
			s.WriteString(" of unknown logical type")
		} else if !l.IsNone() {
			s.WriteString(" " + l.String())
		}
	case *schema.GroupNode:
		kind := "struct"
		if l := n.LogicalType(); l.IsValid() && !l.IsNone() {
			kind = strings.ToLower(l.String())
		}
		s.WriteString(kind)
		names := make([]string, min(n.NumFields(), maxListed))
		for i := range names {
			names[i] = n.Field(i).Name()
		}
		fmt.Fprintf(&s, "<%s>", strings.Join(names, ", "))
	}
	if n.RepetitionType() == parquet.Repetitions.Repeated {
		return "repeated " + s.String()
	}
	return s.String()
}

// parquetType maps a column to an Arrow type. The error is the description of a column that is
// not represented.
func parquetType(n schema.Node) (arrow.DataType, error) {
	refused := fmt.Errorf("%s", parquetName(n))
	leaf, ok := n.(*schema.PrimitiveNode)
	if !ok || n.RepetitionType() == parquet.Repetitions.Repeated {
		return nil, refused
	}
	logical := leaf.LogicalType()
	if !logical.IsValid() {
		return nil, refused
	}
	var t arrow.DataType
	switch leaf.PhysicalType() {
	case parquet.Types.Boolean:
		t = plainType(logical, arrow.FixedWidthTypes.Boolean)
	case parquet.Types.Float:
		t = plainType(logical, arrow.PrimitiveTypes.Float32)
	case parquet.Types.Double:
		t = plainType(logical, arrow.PrimitiveTypes.Float64)
	case parquet.Types.Int96: // Impala's and Spark's timestamps
		t = plainType(logical, &arrow.TimestampType{Unit: arrow.Microsecond})
	case parquet.Types.Int32:
		t = int32Type(logical)
	case parquet.Types.Int64:
		t = int64Type(logical)
	case parquet.Types.ByteArray:
		t = bytesType(logical)
	case parquet.Types.FixedLenByteArray:
		t = fixedType(logical, leaf.TypeLength())
	}
	if t == nil {
		return nil, refused
	}
	return t, nil
}

// plainType is t for a physical type that only the absence of an annotation fits.
func plainType(logical schema.LogicalType, t arrow.DataType) arrow.DataType {
	switch logical.(type) {
	case schema.NoLogicalType:
		return t
	case schema.NullLogicalType:
		return arrow.Null
	}
	return nil
}

// int32Type maps an annotation of INT32.
func int32Type(logical schema.LogicalType) arrow.DataType {
	switch l := logical.(type) {
	case schema.IntLogicalType:
		return intType(l)
	case schema.DateLogicalType:
		return arrow.FixedWidthTypes.Date32
	case schema.TimeLogicalType:
		if l.TimeUnit() == schema.TimeUnitMillis {
			return arrow.FixedWidthTypes.Time32ms
		}
		return nil
	case schema.DecimalLogicalType:
		return decimalType(l)
	}
	return plainType(logical, arrow.PrimitiveTypes.Int32)
}

// int64Type maps an annotation of INT64. A timestamp in UTC, and every timestamp of an old
// writer, has the time zone UTC.
func int64Type(logical schema.LogicalType) arrow.DataType {
	switch l := logical.(type) {
	case schema.IntLogicalType:
		return intType(l)
	case schema.DecimalLogicalType:
		return decimalType(l)
	case schema.TimeLogicalType:
		switch l.TimeUnit() {
		case schema.TimeUnitMicros:
			return arrow.FixedWidthTypes.Time64us
		case schema.TimeUnitNanos:
			return arrow.FixedWidthTypes.Time64ns
		}
		return nil
	case schema.TimestampLogicalType:
		zone := ""
		if l.IsAdjustedToUTC() || l.IsFromConvertedType() {
			zone = "UTC"
		}
		switch l.TimeUnit() {
		case schema.TimeUnitMillis:
			return &arrow.TimestampType{Unit: arrow.Millisecond, TimeZone: zone}
		case schema.TimeUnitMicros:
			return &arrow.TimestampType{Unit: arrow.Microsecond, TimeZone: zone}
		case schema.TimeUnitNanos:
			return &arrow.TimestampType{Unit: arrow.Nanosecond, TimeZone: zone}
		}
		return nil
	}
	return plainType(logical, arrow.PrimitiveTypes.Int64)
}

// intType maps an integer annotation.
func intType(l schema.IntLogicalType) arrow.DataType {
	types := map[int8][2]arrow.DataType{
		8:  {arrow.PrimitiveTypes.Uint8, arrow.PrimitiveTypes.Int8},
		16: {arrow.PrimitiveTypes.Uint16, arrow.PrimitiveTypes.Int16},
		32: {arrow.PrimitiveTypes.Uint32, arrow.PrimitiveTypes.Int32},
		64: {arrow.PrimitiveTypes.Uint64, arrow.PrimitiveTypes.Int64},
	}[l.BitWidth()]
	if l.IsSigned() {
		return types[1]
	}
	return types[0]
}

// decimalType maps a decimal annotation, at most 76 digits.
func decimalType(l schema.DecimalLogicalType) arrow.DataType {
	switch p := l.Precision(); {
	case p < 1 || p > 76 || l.Scale() < 0 || l.Scale() > p:
		return nil
	case p <= 38:
		return &arrow.Decimal128Type{Precision: p, Scale: l.Scale()}
	default:
		return &arrow.Decimal256Type{Precision: p, Scale: l.Scale()}
	}
}

// bytesType maps an annotation of BYTE_ARRAY. Enumerations and JSON are text by definition.
func bytesType(logical schema.LogicalType) arrow.DataType {
	switch l := logical.(type) {
	case schema.StringLogicalType, schema.EnumLogicalType, schema.JSONLogicalType:
		return arrow.BinaryTypes.String
	case schema.BSONLogicalType:
		return arrow.BinaryTypes.Binary
	case schema.DecimalLogicalType:
		return decimalType(l)
	}
	return plainType(logical, arrow.BinaryTypes.Binary)
}

// fixedType maps an annotation of FIXED_LEN_BYTE_ARRAY.
func fixedType(logical schema.LogicalType, width int) arrow.DataType {
	if width < 1 || width > 1<<20 {
		return nil
	}
	switch l := logical.(type) {
	case schema.DecimalLogicalType:
		return decimalType(l)
	case schema.UUIDLogicalType:
		if width == 16 {
			return extensions.NewUUIDType()
		}
		return nil
	case schema.Float16LogicalType:
		if width == 2 {
			return arrow.FixedWidthTypes.Float16
		}
		return nil
	case schema.IntervalLogicalType:
		return &arrow.FixedSizeBinaryType{ByteWidth: width}
	}
	return plainType(logical, &arrow.FixedSizeBinaryType{ByteWidth: width})
}

// originSchema is the Arrow schema that an Arrow writer left in the file, nil if there is none
// that can be read.
func originSchema(meta *metadata.FileMetaData) *arrow.Schema {
	value := meta.KeyValueMetadata().FindValue(arrowSchemaKey)
	if value == nil {
		return nil
	}
	text := strings.TrimRight(*value, "=")
	raw, err := base64.RawStdEncoding.DecodeString(text)
	if err != nil {
		return nil
	}
	framed, err := readMetadata(strings.NewReader(string(raw)))
	if err != nil {
		return nil
	}
	s, err := parseArrowSchema(framed)
	if err != nil {
		return nil
	}
	return s.stored
}

// restoreField gives a column back the Arrow type that it had when it was written, where its
// values are the same in both.
func restoreField(f *arrow.Field, origin arrow.Field) {
	if origin.Name != f.Name {
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

// coarser tells whether values of a unit are stored in another: the same, or milliseconds for
// seconds, which Parquet does not have.
func coarser(unit, stored arrow.TimeUnit) bool {
	return unit == stored || unit == arrow.Second && stored == arrow.Millisecond
}
