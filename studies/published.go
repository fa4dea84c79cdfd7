package main

import (
	"bytes"
	_ "embed"
	"encoding/csv"
	"errors"
	"strconv"

	"github.com/pfnamp/pfnamp/evaluate"
)

//go:embed published.csv
var publishedFile []byte

// published returns the figures of the publication's tables 1 and 2 (Nagler and Rügamer, arXiv
// 2505.11325v4) for a model, tabpfn or tabicl: coverage, width and time_s of the methods "paper"
// and "bootstrap", ten splits of each data set. SE is half of the ± 2 se that the tables print,
// rounded as there. It panics if the file, which is part of the program, is not as it should be.
func published(model string) []evaluate.Result {
	records, err := csv.NewReader(bytes.NewReader(publishedFile)).ReadAll()
	if err != nil {
		panic(err)
	}
	var all []evaluate.Result
	for _, r := range records[1:] { // functional, method, model, metric, dataset, value, two_se
		value, err := strconv.ParseFloat(r[5], 64)
		twice, two := strconv.ParseFloat(r[6], 64)
		if err := errors.Join(err, two); err != nil {
			panic(err)
		}
		if r[2] != model {
			continue
		}
		all = append(all, evaluate.Result{
			Params: []evaluate.Param{{Name: "dataset", Value: r[4]}},
			Measure: evaluate.Measure{Method: r[1], Functional: r[0], Metric: r[3],
				Value: evaluate.Number(value), SE: evaluate.Number(twice / 2), N: 10}})
	}
	return all
}
