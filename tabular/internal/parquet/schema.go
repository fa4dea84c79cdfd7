package parquet

import (
	"errors"
	"fmt"
	"strings"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/parquet"
	"github.com/apache/arrow-go/v18/parquet/metadata"
	"github.com/apache/arrow-go/v18/parquet/pqarrow"
	"github.com/apache/arrow-go/v18/parquet/schema"

	"github.com/pfnamp/pfnamp/tabular/internal/ground"
)

// fieldsOf maps the columns at the top level of a Parquet schema to Arrow fields, and to the
// numbers of their leaves, -1 for unsupported columns.
func fieldsOf(f *checkedFile, opt ground.Options) ([]arrow.Field, []int) {
	meta := f.MetaData()
	root := meta.Schema.Root()
	fields := make([]arrow.Field, root.NumFields())
	leaves := make([]int, root.NumFields())
	next := 0
	for i := range fields {
		node := root.Field(i)
		leaf := next
		next += leafCount(node)
		typ, err := typeOf(node)
		if err == nil && encryptedLeaf(meta, leaf) {
			err = fmt.Errorf("encrypted %s", nameOf(node))
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

// leafCount counts the leaves at and below a node.
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

// encryptedLeaf reports whether any chunk of a leaf is encrypted.
func encryptedLeaf(meta *metadata.FileMetaData, leaf int) bool {
	for _, group := range meta.GetRowGroups() {
		if group.Columns[leaf].IsSetCryptoMetadata() {
			return true
		}
	}
	return false
}

// listed is the number of columns of a group that its name lists.
const listed = 5

// nameOf describes the type of a node: the physical type and the annotation.
func nameOf(n schema.Node) string {
	var s strings.Builder
	switch n := n.(type) {
	case *schema.PrimitiveNode:
		s.WriteString(n.PhysicalType().String())
		if n.PhysicalType() == parquet.Types.FixedLenByteArray {
			fmt.Fprintf(&s, "(%d)", n.TypeLength())
		}
		if l := n.LogicalType(); !l.IsNone() {
			s.WriteString(" " + l.String())
		}
	case *schema.GroupNode:
		kind := "struct"
		if l := n.LogicalType(); l.IsValid() && !l.IsNone() {
			kind = strings.ToLower(l.String())
		}
		s.WriteString(kind)
		names := make([]string, min(n.NumFields(), listed))
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

// typeOf maps a column to an Arrow type, as the library does but for what is text by definition,
// and for timestamps of Impala and Spark. For an unsupported column, the error describes its type.
func typeOf(n schema.Node) (arrow.DataType, error) {
	refused := errors.New(nameOf(n))
	leaf, ok := n.(*schema.PrimitiveNode)
	if !ok || n.RepetitionType() == parquet.Repetitions.Repeated || !leaf.LogicalType().IsValid() {
		return nil, refused
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
	if width := leaf.TypeLength(); leaf.PhysicalType() == parquet.Types.FixedLenByteArray &&
		(width < 1 || width > 1<<20) {
		return nil, refused
	}
	if leaf.PhysicalType() == parquet.Types.Int96 {
		return &arrow.TimestampType{Unit: arrow.Microsecond}, nil
	}
	alone, err := schema.NewGroupNode("schema", parquet.Repetitions.Required, schema.FieldList{n}, -1)
	if err != nil {
		return nil, refused
	}
	mapped, err := pqarrow.FromParquet(schema.NewSchema(alone), nil, nil)
	if err != nil {
		return nil, refused
	}
	return mapped.Field(0).Type, nil
}

// SchemaKey is the key under which Arrow writers keep the Arrow schema of a Parquet file.
const SchemaKey = "ARROW:schema"
