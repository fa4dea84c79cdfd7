package tabular_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"strings"

	"github.com/pfnamp/pfnamp/tabular"
)

// Learn from a training table, then encode the rows of another one batch by batch.
func Example() {
	ctx := context.Background()
	train, err := tabular.ReadAll(ctx, "-", tabular.ReadOptions{Stdin: strings.NewReader(
		"id,age,smoker,y\n1,59,no,151\n2,NA,yes,75\n3,72,no,141\n")})
	if err != nil {
		log.Fatal(err)
	}
	schema, err := tabular.Learn(train, tabular.SchemaOptions{
		Target: "y", Keep: []string{"id"}, Ignore: []string{"id"},
	})
	if err != nil {
		log.Fatal(err)
	}
	for _, c := range schema.Columns {
		fmt.Println(c.Name, c.Kind, c.Categories, c.Missing)
	}

	query, err := tabular.Open("-", tabular.ReadOptions{Stdin: strings.NewReader(
		"smoker,age,id\nyes,48,4\nmaybe,24,5\n")})
	if err != nil {
		log.Fatal(err)
	}
	defer query.Close()
	for {
		batch, err := query.Next(ctx)
		if err == io.EOF {
			break
		}
		if err != nil {
			log.Fatal(err)
		}
		features, err := schema.Features(batch)
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(features.Data, features.Unseen)
	}
	// Output:
	// age numeric [] 1
	// smoker categorical [no yes] 0
	// [48 1 24 NaN] map[smoker:1]
}

// A table need not be a file: the name stands for it in errors.
func ExampleOpenReader() {
	ctx := context.Background()
	for _, body := range []string{"age,y\n59,151\n48,75\n", "age,y\n59,151\n48\n"} {
		r, err := tabular.OpenReader(strings.NewReader(body), "request.csv", tabular.ReadOptions{})
		if err != nil {
			log.Fatal(err)
		}
		defer r.Close()
		table, err := r.ReadAll(ctx)
		if err != nil {
			fmt.Println(err)
			continue
		}
		fmt.Println(table.Names(), table.Rows)
	}
	// Output:
	// [age y] 2
	// request.csv:3: the row has 1 cell, but the header has 2
}

// An error says where and what; its hint says what to do.
func ExampleLearn() {
	train, err := tabular.ReadAll(context.Background(), "-", tabular.ReadOptions{
		Stdin: strings.NewReader("age,progression\n59,151\n48,75\n"),
	})
	if err != nil {
		log.Fatal(err)
	}
	_, err = tabular.Learn(train, tabular.SchemaOptions{Target: "progresion"})
	fmt.Println(err)
	var e *tabular.Error
	if errors.As(err, &e) {
		fmt.Println("hint:", e.Hint)
	}
	// Output:
	// stdin: column "progresion": the table has no such column; nearest: "progression"
	// hint: the columns are "age", "progression"
}

func ExampleParseNumber() {
	for _, text := range []string{" 1.5e3 ", ".5", "1_000", "0x10", "inf", "1e999"} {
		v, err := tabular.ParseNumber(text)
		fmt.Println(v, err)
	}
	// Output:
	// 1500 <nil>
	// 0.5 <nil>
	// 0 not a number
	// 0 not a number
	// 0 not a number
	// 0 too large for a number (the limit is 1.8e308)
}
