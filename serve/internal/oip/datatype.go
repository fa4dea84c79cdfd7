package oip

import (
	"slices"

	"github.com/apache/arrow-go/v18/arrow"
)

// Datatype is the name of a type of elements, such as FP64.
type Datatype string

// The datatypes that are read and written.
const (
	Bool  Datatype = "BOOL"
	Int64 Datatype = "INT64"
	FP32  Datatype = "FP32"
	FP64  Datatype = "FP64"
	Bytes Datatype = "BYTES" // texts in UTF-8
)

// datatypes lists the datatypes with the type of their elements.
var datatypes = []struct {
	name Datatype
	typ  arrow.DataType
	size int // bytes of an element in binary, 0 where a length comes before each
}{
	{Bool, arrow.FixedWidthTypes.Boolean, 1},
	{"UINT8", arrow.PrimitiveTypes.Uint8, 1},
	{"UINT16", arrow.PrimitiveTypes.Uint16, 2},
	{"UINT32", arrow.PrimitiveTypes.Uint32, 4},
	{"UINT64", arrow.PrimitiveTypes.Uint64, 8},
	{"INT8", arrow.PrimitiveTypes.Int8, 1},
	{"INT16", arrow.PrimitiveTypes.Int16, 2},
	{"INT32", arrow.PrimitiveTypes.Int32, 4},
	{Int64, arrow.PrimitiveTypes.Int64, 8},
	{FP32, arrow.PrimitiveTypes.Float32, 4},
	{FP64, arrow.PrimitiveTypes.Float64, 8},
	{Bytes, arrow.BinaryTypes.String, 0},
}

// arrowType is the type of the elements and their size in binary.
func (d Datatype) arrowType() (typ arrow.DataType, size int, err error) {
	var names []Datatype
	for _, known := range datatypes {
		if known.name == d {
			return known.typ, known.size, nil
		}
		names = append(names, known.name)
	}
	return nil, 0, faultf("datatype %q is not one of %v", string(d), names)
}

// DatatypeOf is the datatype of the elements of an array, and false where there is none.
func DatatypeOf(typ arrow.DataType) (Datatype, bool) {
	at := slices.IndexFunc(datatypes, func(d struct {
		name Datatype
		typ  arrow.DataType
		size int
	}) bool {
		return arrow.TypeEqual(d.typ, typ)
	})
	if at < 0 {
		return "", false
	}
	return datatypes[at].name, true
}
