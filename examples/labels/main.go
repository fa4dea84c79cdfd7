// Labels predicts classes, with probabilities and their credible intervals:
//
//	go run ./examples/labels
package main

import (
	"context"
	"fmt"
	"log"

	"github.com/pfnamp/pfnamp"
	"github.com/pfnamp/pfnamp/models"
	"github.com/pfnamp/pfnamp/pfn"
)

// flat is a row. Kind is the label; nil means unknown.
type flat struct {
	Area  float64 // square metres
	Floor int
	Kind  *string
}

func main() {
	model, err := pfnamp.OpenFor(models.ClassificationTask, pfn.Options{})
	if err != nil {
		log.Fatal(err)
	}
	defer model.Close()
	unknown := []flat{{Area: 24, Floor: 3}, {Area: 52, Floor: 1}}
	if err := classify(context.Background(), model, unknown); err != nil {
		log.Fatal(err)
	}
}

// labelled makes flats of known kind: small flats are studios, except one in eleven.
func labelled() []flat {
	kinds := []string{"family", "studio"}
	rows := make([]flat, 80)
	for i := range rows {
		rows[i] = flat{Area: float64(18 + i*7%50), Floor: i % 4}
		small := rows[i].Area < 38
		if i%11 == 0 {
			small = !small
		}
		rows[i].Kind = &kinds[0]
		if small {
			rows[i].Kind = &kinds[1]
		}
	}
	return rows
}

// classify prints the most probable class of every row and how well its probability is known.
func classify(ctx context.Context, model *pfn.Model, rows []flat) error {
	table, err := pfnamp.Table("flats", labelled())
	if err != nil {
		return err
	}
	fitted, err := pfnamp.Fit(ctx, model, table, pfnamp.FitOptions{Target: "Kind"})
	if err != nil {
		return err
	}
	defer fitted.Close()
	predictor, err := fitted.Prepare(ctx, pfnamp.Question{})
	if err != nil {
		return err
	}
	defer predictor.Close()
	answer, err := predictor.Rows(ctx, rows)
	if err != nil {
		return err
	}
	for i, best := range answer.Best {
		class := fitted.Classes()[best]
		p := answer.Of("p=" + class)[i]
		fmt.Printf("%s: probability %.2f (90 %% interval %.2f to %.2f)\n", class, p.Point, p.Lo, p.Hi)
	}
	return nil
}
