package parquet

import (
	"fmt"
	"strings"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/parquet"
	"github.com/apache/arrow-go/v18/parquet/metadata"
	"github.com/apache/arrow-go/v18/parquet/schema"

	"github.com/pfnamp/pfnamp/tabular/internal/ground"
	"github.com/pfnamp/pfnamp/tabular/internal/parquetguard"
)

// fieldsOf maps the columns at the top level of a Parquet schema to Arrow fields, and to the
// numbers of their leaves, -1 for unsupported columns.
func fieldsOf(f *parquetguard.File, opt ground.Options) ([]arrow.Field, []int) {
	meta := f.MetaData()
	root := meta.Schema.Root()
	fields := make([]arrow.Field, root.NumFields())
	leaves := make([]int, root.NumFields())
	origin := OriginSchema(meta)
	next := 0
	for i := range fields {
		node := root.Field(i)
		leaf := next
		next += leafCount(node)
		typ, err := typeOf(node)
		if err == nil && f.Unknown[leaf] {
			err = fmt.Errorf("%s of unknown logical type", leafKind(node))
		}
		if err == nil && encryptedLeaf(meta, leaf) {
			err = fmt.Errorf("encrypted %s", nameOf(node))
		}
		leaves[i] = leaf
		fields[i] = arrow.Field{Name: node.Name(), Type: typ,
			Nullable: node.RepetitionType() != parquet.Repetitions.Required}
		if err != nil {
			fields[i].Type, leaves[i] = opt.Unsupported(err.Error()), -1
		} else if origin != nil && origin.NumFields() == len(fields) {
			restoreField(&fields[i], origin.Field(i))
		}
	}
	return fields, leaves
}

// leafKind returns the physical type of a leaf.
func leafKind(n schema.Node) string {
	if leaf, ok := n.(*schema.PrimitiveNode); ok {
		return leaf.PhysicalType().String()
	}
	return nameOf(n)
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
