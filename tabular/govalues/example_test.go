package govalues_test

import (
	"fmt"
	"log"

	"github.com/pfnamp/pfnamp/tabular"
	"github.com/pfnamp/pfnamp/tabular/govalues"
)

// A slice of structs becomes a table. A tag names a column, a nil pointer is a missing cell.
func Example() {
	type flat struct {
		Area  float64
		Town  *string `pfnamp:"town"`
		Price float64
		Note  string `pfnamp:"-"` // no column
	}
	york := "York"
	table, err := govalues.Table("flats", []flat{{40, &york, 120, ""}, {60, nil, 200, "sea view"}})
	if err != nil {
		log.Fatal(err)
	}
	schema, err := tabular.Learn(table, tabular.SchemaOptions{Target: "Price"})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(table.Rows, "rows")
	for _, c := range schema.Columns {
		fmt.Println(c.Name, c.Kind)
	}
	// Output:
	// 2 rows
	// Area numeric
	// town categorical
}
