package tabular

import (
	"slices"
	"strings"

	"github.com/apache/arrow-go/v18/arrow"
)

// unnamed is the name of a first column without one, as pandas calls it: there programs save the
// names of rows.
const unnamed = "Unnamed: 0"

// rowNames are the columns in which pandas saves its index, in text and in columnar files.
var rowNames = []string{unnamed, "__index_level_0__"}

// nameFirst gives the first of several columns a name if it alone has none.
func nameFirst(fields []arrow.Field) {
	if len(fields) < 2 || strings.TrimSpace(fields[0].Name) != "" {
		return
	}
	for _, f := range fields[1:] {
		if strings.TrimSpace(f.Name) == "" || f.Name == unnamed {
			return
		}
	}
	fields[0].Name = unnamed
}

// isRowNames tells whether a column holds names of rows and is no feature: unless an option says
// what kind of feature it is.
func (o SchemaOptions) isRowNames(name string) bool {
	return slices.Contains(rowNames, name) && !slices.Contains(o.Numeric, name) &&
		!slices.Contains(o.Categorical, name)
}
