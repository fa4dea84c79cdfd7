package tabular

import (
	"slices"

	"github.com/pfnamp/pfnamp/tabular/internal/ground"
)

// rowNames are the columns in which pandas saves its index, in text and in columnar files.
var rowNames = []string{ground.Unnamed, "__index_level_0__"}

// isRowNames tells whether a column holds names of rows and is no feature: unless an option says
// what kind of feature it is.
func (o SchemaOptions) isRowNames(name string) bool {
	return slices.Contains(rowNames, name) && !slices.Contains(o.Numeric, name) &&
		!slices.Contains(o.Categorical, name)
}
