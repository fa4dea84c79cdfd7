package parquet

import (
	"bufio"
	"encoding/base64"
	"errors"
	"fmt"
	"strings"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/parquet"
	"github.com/apache/arrow-go/v18/parquet/pqarrow"
	"github.com/apache/arrow-go/v18/parquet/schema"

	arrowroom "github.com/pfnamp/pfnamp/tabular/internal/arrow"
	"github.com/pfnamp/pfnamp/tabular/internal/ground"
)

// fieldsOf maps the columns at the top level of a Parquet schema to Arrow fields, and to the
// numbers of their leaves, -1 for unsupported columns.
func fieldsOf(f *checkedFile, opt ground.Options) ([]arrow.Field, []int) {
	meta := f.MetaData()
	root := meta.Schema.Root()
	fields := make([]arrow.Field, root.NumFields())
	leaves := make([]int, root.NumFields())
	zones, next := storedZones(f), 0
	for i := range fields {
		node := root.Field(i)
		leaf := next
		for next < meta.Schema.NumColumns() && meta.Schema.ColumnRoot(next) == node {
			next++
		}
		typ, err := typeOf(node)
		if t, ok := typ.(*arrow.TimestampType); ok && zones[node.Name()] != "" {
			typ = &arrow.TimestampType{Unit: t.Unit, TimeZone: zones[node.Name()]}
		}
		for _, group := range meta.GetRowGroups() {
			if err == nil && group.Columns[leaf].IsSetCryptoMetadata() {
				err = errors.New("encrypted")
			}
		}
		leaves[i] = leaf
		fields[i] = arrow.Field{Name: node.Name(), Type: typ,
			Nullable: node.RepetitionType() != parquet.Repetitions.Required}
		if err != nil {
			fields[i].Type, leaves[i] = ground.NewUnsupported(err.Error()), -1
		}
	}
	return fields, leaves
}

// typeOf maps a column to an Arrow type, as the library does but for what is text by definition,
// and for timestamps of Impala and Spark. For an unsupported column, the error describes its type.
func typeOf(n schema.Node) (arrow.DataType, error) {
	leaf, flat := n.(*schema.PrimitiveNode)
	refused := errors.New("nested type")
	if flat {
		refused = fmt.Errorf("%s %s", leaf.PhysicalType(), leaf.LogicalType())
	}
	alone, err := schema.NewGroupNode("schema", parquet.Repetitions.Required, schema.FieldList{n}, -1)
	if err != nil {
		return nil, refused
	}
	mapped, err := pqarrow.FromParquet(schema.NewSchema(alone), nil, nil)
	if err != nil {
		return nil, refused
	}
	if !flat || n.RepetitionType() == parquet.Repetitions.Repeated {
		return nil, errors.New(mapped.Field(0).Type.String())
	}
	switch l := leaf.LogicalType().(type) {
	case schema.EnumLogicalType, schema.JSONLogicalType:
		return arrow.BinaryTypes.String, nil
	case schema.GeometryLogicalType, schema.GeographyLogicalType:
		return nil, refused
	case schema.DecimalLogicalType:
		if l.Precision() < 1 || l.Precision() > 76 || l.Scale() < 0 || l.Scale() > l.Precision() {
			return nil, refused
		}
	}
	width := leaf.TypeLength()
	switch leaf.PhysicalType() {
	case parquet.Types.FixedLenByteArray:
		if width < 1 || width > 1<<20 {
			return nil, refused
		}
	case parquet.Types.Int96:
		return &arrow.TimestampType{Unit: arrow.Microsecond}, nil
	}
	return mapped.Field(0).Type, nil
}

// SchemaKey is the key under which Arrow writers keep the Arrow schema of a Parquet file.
const SchemaKey = "ARROW:schema"

// storedZones returns the time zones of columns in the Arrow schema that the file's writer kept: a
// Parquet schema only knows whether times are in UTC. It returns none of a damaged Arrow schema.
func storedZones(f *checkedFile) map[string]string {
	zones := map[string]string{}
	text := f.MetaData().KeyValueMetadata().FindValue(SchemaKey)
	if text == nil {
		return zones
	}
	stream := bufio.NewReader(base64.NewDecoder(base64.StdEncoding, strings.NewReader(*text)))
	stored, err := arrowroom.OpenStream(ground.Input{Stream: stream}, ground.Options{})
	if err != nil {
		return zones
	}
	for _, field := range stored.Schema().Fields() {
		if t, ok := field.Type.(*arrow.TimestampType); ok {
			zones[field.Name] = t.TimeZone
		}
	}
	return zones
}
