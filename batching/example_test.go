package batching_test

import (
	"context"
	"fmt"
	"log"
	"sync"

	"github.com/pfnamp/pfnamp"
	"github.com/pfnamp/pfnamp/batching"
	"github.com/pfnamp/pfnamp/pfn"
)

// Eight goroutines ask about one row each. Rows that wait at the same time share a run.
func Example() {
	ctx := context.Background()
	model, err := pfnamp.Open("", pfn.Options{Members: 1})
	if err != nil {
		log.Fatal(err)
	}
	defer model.Close()
	var rows []map[string]any
	for i := range 40 {
		rows = append(rows, map[string]any{"area": 20 + i, "price": 3 * (20 + i)})
	}
	table, err := pfnamp.Table("flats", rows)
	if err != nil {
		log.Fatal(err)
	}
	fitted, err := pfnamp.Fit(ctx, model, table, pfnamp.FitOptions{Target: "price"})
	if err != nil {
		log.Fatal(err)
	}
	defer fitted.Close()
	asked, err := fitted.Prepare(ctx, pfnamp.Question{Chains: 100})
	if err != nil {
		log.Fatal(err)
	}
	batcher := batching.New(asked, batching.Options{})
	defer batcher.Close()
	prices := make([]float64, 8)
	var all sync.WaitGroup
	for i := range prices {
		all.Go(func() {
			answer, err := batcher.Rows(ctx, []map[string]any{{"area": 22 + 4*i}})
			if err != nil {
				log.Fatal(err)
			}
			prices[i] = answer.Posteriors[0].Estimates[0][0].Point
		})
	}
	all.Wait()
	fmt.Println("the largest flat costs more than the smallest:", prices[7] > prices[0])
	// Output:
	// the largest flat costs more than the smallest: true
}
