package tabular

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/extensions"
	"github.com/apache/arrow-go/v18/arrow/float16"
	"github.com/apache/arrow-go/v18/arrow/memory"
)

// flatTypes are the types that are represented, in all formats but where noted.
func flatTypes() []arrow.DataType {
	types := []arrow.DataType{
		arrow.FixedWidthTypes.Boolean, arrow.Null, arrow.FixedWidthTypes.Float16,
		arrow.BinaryTypes.String, arrow.BinaryTypes.LargeString, arrow.BinaryTypes.Binary,
		arrow.BinaryTypes.LargeBinary, &arrow.FixedSizeBinaryType{ByteWidth: 5},
		arrow.FixedWidthTypes.Date32, arrow.FixedWidthTypes.Date64,
		arrow.FixedWidthTypes.Time32s, arrow.FixedWidthTypes.Time32ms,
		arrow.FixedWidthTypes.Time64us, arrow.FixedWidthTypes.Time64ns,
		&arrow.Decimal128Type{Precision: 30, Scale: 4},
		&arrow.Decimal256Type{Precision: 60, Scale: 7},
		&arrow.DictionaryType{IndexType: arrow.PrimitiveTypes.Int8,
			ValueType: arrow.BinaryTypes.String},
		&arrow.DictionaryType{IndexType: arrow.PrimitiveTypes.Uint16,
			ValueType: arrow.PrimitiveTypes.Int64},
		extensions.NewUUIDType(),
	}
	types = append(types, arrow.PrimitiveTypes.Int8, arrow.PrimitiveTypes.Int16,
		arrow.PrimitiveTypes.Int32, arrow.PrimitiveTypes.Int64, arrow.PrimitiveTypes.Uint8,
		arrow.PrimitiveTypes.Uint16, arrow.PrimitiveTypes.Uint32, arrow.PrimitiveTypes.Uint64,
		arrow.PrimitiveTypes.Float32, arrow.PrimitiveTypes.Float64)
	for _, unit := range []arrow.TimeUnit{arrow.Second, arrow.Millisecond, arrow.Microsecond,
		arrow.Nanosecond} {
		types = append(types, &arrow.TimestampType{Unit: unit},
			&arrow.TimestampType{Unit: unit, TimeZone: "Europe/Berlin"},
			&arrow.DurationType{Unit: unit})
	}
	return types
}

// randomArray draws n values of a type, about a fifth of them null.
func randomArray(r *rand.Rand, t arrow.DataType, n int) arrow.Array {
	if t.ID() == arrow.NULL {
		return array.NewNull(n)
	}
	switch t := t.(type) {
	case *arrow.DictionaryType:
		b := array.NewDictionaryBuilder(memory.DefaultAllocator, t)
		plain := array.NewBuilder(memory.DefaultAllocator, t.ValueType)
		for i := range n {
			if r.IntN(5) == 0 {
				plain.AppendNull()
			} else if err := plain.AppendValueFromString(fmt.Sprint(7 * (i % 5))); err != nil {
				panic(err)
			}
		}
		if err := b.AppendArray(plain.NewArray()); err != nil {
			panic(err)
		}
		return b.NewArray()
	case arrow.ExtensionType:
		return array.NewExtensionArrayWithStorage(t, randomArray(r, t.StorageType(), n))
	}
	b := array.NewBuilder(memory.DefaultAllocator, t)
	for range n {
		if r.IntN(5) == 0 {
			b.AppendNull()
			continue
		}
		appendRandom(r, b)
	}
	return b.NewArray()
}

func appendRandom(r *rand.Rand, b array.Builder) {
	text := strings.Repeat([]string{"a", "\"q\"", "x,y", "ü", "\n", " "}[r.IntN(6)], r.IntN(4))
	const day = 86_400
	switch b := b.(type) {
	case *array.BooleanBuilder:
		b.Append(r.IntN(2) == 0)
	case *array.Float16Builder:
		b.Append(float16.New(r.Float32()))
	case *array.Float32Builder:
		b.Append(math.Float32frombits(r.Uint32()))
	case *array.Float64Builder:
		b.Append(math.Float64frombits(r.Uint64()))
	case *array.StringBuilder:
		b.Append(text)
	case *array.LargeStringBuilder:
		b.Append(text)
	case *array.StringViewBuilder:
		b.Append(text + strings.Repeat("long", r.IntN(8)))
	case *array.BinaryBuilder:
		b.Append([]byte(text))
	case *array.BinaryViewBuilder:
		b.Append([]byte(text))
	case *array.FixedSizeBinaryBuilder:
		v := make([]byte, b.Type().(*arrow.FixedSizeBinaryType).ByteWidth)
		for i := range v {
			v[i] = byte(r.Uint32())
		}
		b.Append(v)
	case *array.Date32Builder:
		b.Append(arrow.Date32(r.IntN(40_000) - 20_000))
	case *array.Date64Builder:
		b.Append(arrow.Date64(1000 * day * (r.IntN(40_000) - 20_000)))
	case *array.Time32Builder:
		b.Append(arrow.Time32(r.IntN(day)))
	case *array.Time64Builder:
		b.Append(arrow.Time64(r.IntN(day * 1_000_000)))
	case *array.TimestampBuilder:
		b.Append(arrow.Timestamp(r.Int64N(1<<40) - 1<<39))
	case *array.DurationBuilder:
		b.Append(arrow.Duration(r.Int64()))
	default:
		if err := b.AppendValueFromString(fmt.Sprint(r.IntN(100))); err != nil {
			panic(err)
		}
	}
}

// randomRecord draws a batch of columns named after their position.
func randomRecord(r *rand.Rand, types []arrow.DataType, rows int) arrow.RecordBatch {
	fields := make([]arrow.Field, len(types))
	columns := make([]arrow.Array, len(types))
	for i, t := range types {
		fields[i] = arrow.Field{Name: fmt.Sprintf("c%d", i), Type: t, Nullable: true}
		columns[i] = randomArray(r, t, rows)
	}
	return array.NewRecordBatch(arrow.NewSchema(fields, nil), columns, int64(rows))
}
