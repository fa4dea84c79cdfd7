package oip

import (
	"slices"

	"github.com/apache/arrow-go/v18/arrow"
)

// Datatype is the name of a type of elements, such as FP64.
type Datatype string

// FP64, Bool and Bytes are the datatypes of metadata; texts are in UTF-8.
const (
	Bool  Datatype = "BOOL"
	FP64  Datatype = "FP64"
	Bytes Datatype = "BYTES"
)

// format is how the elements of a datatype are held, and sent in binary.
type format struct {
	name Datatype
	typ  arrow.DataType
	size int // bytes of an element in binary, 0 where a length comes before each
}

// formats lists the datatypes; of those with the same type the one of responses comes first.
var formats = []format{
	{Bool, arrow.FixedWidthTypes.Boolean, 1},
	{"UINT64", arrow.PrimitiveTypes.Uint64, 8},
	{"UINT32", arrow.PrimitiveTypes.Uint64, 4},
	{"UINT16", arrow.PrimitiveTypes.Uint64, 2},
	{"UINT8", arrow.PrimitiveTypes.Uint64, 1},
	{"INT64", arrow.PrimitiveTypes.Int64, 8},
	{"INT32", arrow.PrimitiveTypes.Int64, 4},
	{"INT16", arrow.PrimitiveTypes.Int64, 2},
	{"INT8", arrow.PrimitiveTypes.Int64, 1},
	{FP64, arrow.PrimitiveTypes.Float64, 8},
	{"FP32", arrow.PrimitiveTypes.Float32, 4},
	{Bytes, arrow.BinaryTypes.String, 0},
}

func formatOf(input string, d Datatype) (format, error) {
	var names []Datatype
	for _, known := range formats {
		if known.name == d {
			return known, nil
		}
		names = append(names, known.name)
	}
	return format{}, faultf("input %q: datatype %q is not one of %v", input, string(d), names)
}

// DatatypeOf is the datatype of the elements of an array, "" where there is none.
func DatatypeOf(typ arrow.DataType) Datatype {
	at := slices.IndexFunc(formats, func(f format) bool { return arrow.TypeEqual(f.typ, typ) })
	if at < 0 {
		return ""
	}
	return formats[at].name
}
