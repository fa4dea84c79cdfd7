package joint_test

import (
	"context"
	"fmt"
	"log"
	"strings"

	"github.com/pfnamp/pfnamp"
	"github.com/pfnamp/pfnamp/joint"
	"github.com/pfnamp/pfnamp/pfn"
)

// Is a flat in Bath dearer than one in York? A contrast of two groups of rows, with its interval.
func ExampleCompare() {
	ctx := context.Background()
	model, err := pfnamp.Open("", pfn.Options{})
	if err != nil {
		log.Fatal(err)
	}
	defer model.Close()
	table, err := pfnamp.Table("lines", lines())
	if err != nil {
		log.Fatal(err)
	}
	fitted, err := pfnamp.Fit(ctx, model, table, pfnamp.FitOptions{Target: "Price"})
	if err != nil {
		log.Fatal(err)
	}
	defer fitted.Close()
	asked, err := fitted.Prepare(ctx, pfnamp.Question{})
	if err != nil {
		log.Fatal(err)
	}
	flats := []line{{Area: 40, Town: "Bath"}, {Area: 60, Town: "Bath"}, {Area: 40, Town: "York"},
		{Area: 60, Town: "York"}}
	answer, err := asked.Rows(ctx, flats)
	if err != nil {
		log.Fatal(err)
	}
	effects, err := joint.Compare(ctx, asked, answer, []string{"Bath", "Bath", "York", "York"},
		"Bath - York")
	if err != nil {
		log.Fatal(err)
	}
	difference := effects[len(effects)-1]
	fmt.Printf("%s: dearer with a probability above one half: %t\n", difference.Name,
		difference.Above(0) > 0.5)
	// Output:
	// Bath - York: dearer with a probability above one half: true
}

// line is a row of Go values: a flat.
type line struct {
	Area  float64
	Town  string
	Price *float64 // unknown in query rows
}

// lines are labelled flats: 3 a square metre in York, 60 more in Bath.
func lines() []line {
	var rows []line
	for i := range 60 {
		row := line{Area: float64(20 + i), Town: strings.Fields("Bath York")[i%2]}
		price := 3*row.Area + 60*float64((i+1)%2) + float64(i*7%5)
		row.Price = &price
		rows = append(rows, row)
	}
	return rows
}
