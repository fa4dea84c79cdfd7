package tabular

import (
	"slices"

	"github.com/pfnamp/pfnamp/tabular/internal/ground"
)

// rowNames are the names of columns in which pandas saves its index, in text and in columnar files.
var rowNames = []string{ground.Unnamed, "__index_level_0__"}

// isRowNames reports whether a column holds row names and is not a feature. It is a feature if an
// option gives its kind.
func (o SchemaOptions) isRowNames(name string) bool {
	return slices.Contains(rowNames, name) && !slices.Contains(o.Numeric, name) &&
		!slices.Contains(o.Categorical, name)
}
