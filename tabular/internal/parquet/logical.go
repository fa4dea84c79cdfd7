package parquet

import (
	"fmt"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/extensions"
	"github.com/apache/arrow-go/v18/parquet"
	"github.com/apache/arrow-go/v18/parquet/schema"
)

// typeOf maps a column to an Arrow type. For an unsupported column, the error describes its type.
func typeOf(n schema.Node) (arrow.DataType, error) {
	refused := fmt.Errorf("%s", nameOf(n))
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

// plainType returns t if the column has no annotation; it is for physical types that no annotation
// fits.
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
