package check_test

import (
	"fmt"
	"log"

	"github.com/pfnamp/pfnamp/check"
	"github.com/pfnamp/pfnamp/pfn"
	"github.com/pfnamp/pfnamp/tabular"
	"github.com/pfnamp/pfnamp/tabular/govalues"
)

// flats are rows whose areas begin at a number.
func flats(name string, n int, from float64) *tabular.Table {
	rows := make([]map[string]any, n)
	for i := range rows {
		rows[i] = map[string]any{"area": from + float64(i*7%30), "floor": i * 3 % 5, "price": i}
	}
	table, err := govalues.Table(name, rows)
	if err != nil {
		log.Fatal(err)
	}
	return table
}

// Flats of next year are larger than those of the training table.
func Example() {
	train := flats("train", 200, 40)
	schema, err := tabular.Learn(train, tabular.SchemaOptions{Target: "price"})
	if err != nil {
		log.Fatal(err)
	}
	known, err := check.Read(schema, train)
	if err != nil {
		log.Fatal(err)
	}
	batch, err := check.Read(schema, flats("next year", 100, 50))
	if err != nil {
		log.Fatal(err)
	}
	context := pfn.Training{X: known.Matrix, Y: known.Labels, Categorical: schema.Categorical()}
	report, err := check.Features(schema, context, batch, 1)
	if err != nil {
		log.Fatal(err)
	}
	worst := report.Columns[0]
	fmt.Printf("drift: %t\n", report.Figure("drift") > 0)
	fmt.Printf("%s: moved by %.1f, %.2f outside the range\n", worst.Name, worst.Shift, worst.Outside)
	// Output:
	// drift: true
	// area: moved by 1.1, 0.33 outside the range
}
