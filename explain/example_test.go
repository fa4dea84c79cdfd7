package explain_test

import (
	"context"
	"fmt"
	"log"

	"github.com/pfnamp/pfnamp"
	"github.com/pfnamp/pfnamp/explain"
	"github.com/pfnamp/pfnamp/joint"
	"github.com/pfnamp/pfnamp/pfn"
	"github.com/pfnamp/pfnamp/tabular"
)

// flats are labelled rows: 3 a square metre, and 2 or less for the floor.
func flats() *tabular.Table {
	var rows []map[string]any
	for i := range 60 {
		area := 20 + float64(i*7%41)
		rows = append(rows, map[string]any{"area": area, "floor": i % 4,
			"price": 3*area + float64(i*11%3)})
	}
	table, err := pfnamp.Table("flats", rows)
	if err != nil {
		log.Fatal(err)
	}
	return table
}

// What does the area do to the average price? From the smallest flat to the largest.
func Example() {
	ctx := context.Background()
	model, err := pfnamp.Open("", pfn.Options{Members: 1})
	if err != nil {
		log.Fatal(err)
	}
	defer model.Close()
	fitted, err := pfnamp.Fit(ctx, model, flats(), pfnamp.FitOptions{Target: "price"})
	if err != nil {
		log.Fatal(err)
	}
	defer fitted.Close()
	asked, err := fitted.Prepare(ctx, pfnamp.Question{Chains: 200})
	if err != nil {
		log.Fatal(err)
	}
	population, err := explain.NewPopulation(asked, joint.DefaultLength)
	if err != nil {
		log.Fatal(err)
	}
	effect, err := population.Effect(ctx, 3, "area")
	if err != nil {
		log.Fatal(err)
	}
	change := effect.Changes[0]
	fmt.Printf("%d points, more area costs more with a probability above 0.95: %t\n",
		len(effect.Points), change.Above > 0.95)
	// Output:
	// 3 points, more area costs more with a probability above 0.95: true
}

// An expression says what a cell would be. It needs a schema, and no model.
func ExampleParseExpression() {
	schema, err := tabular.Learn(flats(), tabular.SchemaOptions{Target: "price"})
	if err != nil {
		log.Fatal(err)
	}
	for _, text := range []string{"area*1.1", "area=50", "aera*2"} {
		e, err := explain.ParseExpression(text, schema)
		fmt.Println(e.Text, err == nil)
	}
	// Output:
	// area*1.1 true
	// area=50 true
	// aera*2 false
}
