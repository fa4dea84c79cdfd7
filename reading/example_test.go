package reading_test

import (
	"context"
	"fmt"
	"log"
	"math"

	"github.com/pfnamp/pfnamp/models"
	"github.com/pfnamp/pfnamp/pfn"
	"github.com/pfnamp/pfnamp/reading"
)

// The second query row lacks a cell that matters. Donors lend it cells of the context, so its
// interval is far wider than the interval of the first row.
func Example() {
	ctx := context.Background()
	bundle, err := models.Default()
	if err != nil {
		log.Fatal(err)
	}
	model, err := pfn.Open(bundle, pfn.Options{Members: 1})
	if err != nil {
		log.Fatal(err)
	}
	defer model.Close()
	train := pfn.Training{X: pfn.Matrix{Rows: 40, Cols: 2}, Categorical: []bool{false, false}}
	for i := range 40 {
		x, z := float64(i), float64(i*7%40)
		train.X.Data = append(train.X.Data, x, z)
		train.Y = append(train.Y, 2*x+0.1*z)
	}
	c, err := model.Fit(ctx, train)
	if err != nil {
		log.Fatal(err)
	}
	defer c.Close()
	query := pfn.Matrix{Rows: 2, Cols: 2, Data: []float64{20, 20, math.NaN(), 20}}
	donors := reading.NewDonors(train, 0, 1)
	rows, err := donors.Predictions(ctx, c, query, false)
	if err != nil {
		log.Fatal(err)
	}
	in := reading.CentralIntervals(rows, 0.9)
	fmt.Println("wider without the cell:", in[1].Hi-in[1].Lo > 3*(in[0].Hi-in[0].Lo))
	// Output:
	// wider without the cell: true
}
