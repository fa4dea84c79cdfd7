// Arrow predicts a table of any length, batch by batch, and writes the predictions as a new table:
//
//	go run ./examples/arrow train.csv test.parquet price out.arrow
//
// Memory does not grow with the number of rows: the program reads, predicts, writes and frees one
// batch after the other.
package main

import (
	"context"
	"flag"
	"io"
	"log"

	"github.com/apache/arrow-go/v18/arrow"

	"github.com/pfnamp/pfnamp"
	"github.com/pfnamp/pfnamp/pfn"
	"github.com/pfnamp/pfnamp/tabular"
)

func main() {
	flag.Parse()
	if flag.NArg() != 4 {
		log.Fatal("usage: arrow TRAIN TEST TARGET OUT")
	}
	model, err := pfnamp.Open("", pfn.Options{})
	if err != nil {
		log.Fatal(err)
	}
	defer model.Close()
	err = predict(context.Background(), model, flag.Arg(0), flag.Arg(1), flag.Arg(2), flag.Arg(3))
	if err != nil {
		log.Fatal(err)
	}
}

// predict fits a training table and predicts the rows of a test table.
func predict(ctx context.Context, model *pfn.Model, train, test, target, out string) error {
	table, err := tabular.ReadAll(ctx, train, tabular.ReadOptions{})
	if err != nil {
		return err
	}
	fitted, err := pfnamp.Fit(ctx, model, table, pfnamp.FitOptions{Target: target})
	if err != nil {
		return err
	}
	defer fitted.Close()
	predictor, err := fitted.Prepare(ctx, pfnamp.Question{})
	if err != nil {
		return err
	}
	defer predictor.Close()
	fields, err := predictor.Layout().Fields()
	if err != nil {
		return err
	}
	writer, err := tabular.Create(out, arrow.NewSchema(fields, nil), tabular.WriteOptions{})
	if err != nil {
		return err
	}
	defer writer.Abort()
	reader, err := tabular.Open(test, tabular.ReadOptions{})
	if err != nil {
		return err
	}
	defer reader.Close()
	for {
		batch, err := reader.Next(ctx)
		if err == io.EOF {
			return writer.Commit()
		}
		if err != nil {
			return err
		}
		if err := answer(ctx, predictor, batch, writer); err != nil {
			return err
		}
	}
}

// answer writes the predictions of one batch.
func answer(
	ctx context.Context, p *pfnamp.Predictor, batch *tabular.Batch, w *tabular.Writer,
) error {
	a, err := p.Predict(ctx, batch)
	if err != nil {
		return err
	}
	record, err := p.Record(a)
	if err != nil {
		return err
	}
	defer record.Release()
	return w.Write(record)
}
