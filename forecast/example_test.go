package forecast_test

import (
	"context"
	"fmt"
	"log"
	"math"

	"github.com/pfnamp/pfnamp"
	"github.com/pfnamp/pfnamp/forecast"
	"github.com/pfnamp/pfnamp/pfn"
)

// Ten years of quarters with a season: the next year, with intervals learned from earlier errors.
func Example() {
	ctx := context.Background()
	model, err := pfnamp.Open("", pfn.Options{Members: 1})
	if err != nil {
		log.Fatal(err)
	}
	defer model.Close()
	var times, values []float64
	for i := range 40 {
		times = append(times, float64(i))
		values = append(values, 100+20*math.Cos(math.Pi*float64(i)/2)+float64(i*7%5))
	}
	series, err := forecast.New(times, values, false, 4)
	if err != nil {
		log.Fatal(err)
	}
	next, err := series.Forecast(ctx, forecast.Of(model),
		forecast.Options{Horizon: 4, Level: 0.9, Origins: 6})
	if err != nil {
		log.Fatal(err)
	}
	for _, p := range next.Points {
		fmt.Printf("time %.0f: about %.0f\n", p.Time, 10*math.Round(p.Value/10))
	}
	fmt.Println("better than a year ago:", next.RMSE < next.Naive)
	// Output:
	// time 40: about 120
	// time 41: about 100
	// time 42: about 80
	// time 43: about 100
	// better than a year ago: true
}
