package pfnamp_test

import (
	"context"
	"errors"
	"fmt"
	"log"
	"os"
	"strings"

	"github.com/pfnamp/pfnamp"
	"github.com/pfnamp/pfnamp/amp"
	"github.com/pfnamp/pfnamp/pfn"
	"github.com/pfnamp/pfnamp/tabular"
)

// From a file to intervals: how far to trust what the embedded model says of two patients.
func Example() {
	ctx := context.Background()
	model, err := pfnamp.Open("", pfn.Options{})
	if err != nil {
		log.Fatal(err)
	}
	defer model.Close()
	train, err := tabular.ReadAll(ctx, "testdata/diabetes.csv", tabular.ReadOptions{})
	if err != nil {
		log.Fatal(err)
	}
	fitted, err := pfnamp.Fit(ctx, model, train, pfnamp.FitOptions{Target: "progression"})
	if err != nil {
		log.Fatal(err)
	}
	defer fitted.Close()
	asked, err := fitted.Prepare(ctx, pfnamp.Question{Functionals: []amp.Functional{amp.Mean{}}})
	if err != nil {
		log.Fatal(err)
	}
	answer, err := asked.Rows(ctx, []map[string]any{
		{"age": 60, "sex": 2, "bmi": 33, "bp": 110, "s1": 190, "s2": 120, "s3": 40, "s4": 5,
			"s5": 5.2, "s6": 100},
		{"age": 30, "sex": 1, "bmi": 21, "bp": 80, "s1": 170, "s2": 100, "s3": 60, "s4": 3,
			"s5": 4.2, "s6": nil},
	})
	if err != nil {
		log.Fatal(err)
	}
	for i, mean := range answer.Of("mean") {
		label := answer.Predictive[i]
		fmt.Printf("mean %.0f, credible %.0f to %.0f; a label %.0f to %.0f\n",
			mean.Point, mean.Lo, mean.Hi, label.Lo, label.Hi)
	}
	// Output:
	// mean 247, credible 219 to 281; a label 153 to 322
	// mean 95, credible 70 to 122; a label 36 to 178
}

// A state file answers as the fitted table does: the bundle that it was made with is found and
// opened.
func ExampleLoad() {
	ctx := context.Background()
	model, err := pfnamp.Open("", pfn.Options{Members: 1})
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
	file, err := os.CreateTemp("", "*.state") // or: pfnamp fit flats.csv --target Price -o price.state
	if err != nil {
		log.Fatal(err)
	}
	defer os.Remove(file.Name())
	if err := errors.Join(fitted.Save(file, "example"), file.Close()); err != nil {
		log.Fatal(err)
	}
	again, err := pfnamp.Load(file.Name(), pfnamp.LoadOptions{})
	if err != nil {
		log.Fatal(err)
	}
	defer again.Close()
	for _, f := range []*pfnamp.Fitted{fitted, again} {
		asked, err := f.Prepare(ctx, pfnamp.Question{Posteriors: []pfnamp.Posterior{pfnamp.Limit},
			Chains: 500})
		if err != nil {
			log.Fatal(err)
		}
		answer, err := asked.Rows(ctx, []line{{Area: 50, Town: "Bath"}})
		if err != nil {
			log.Fatal(err)
		}
		fmt.Printf("%.0f hundred\n", answer.Of("mean")[0].Point/100)
	}
	// Output:
	// 2 hundred
	// 2 hundred
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
