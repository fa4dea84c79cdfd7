package paper

import (
	"embed"
	"encoding/csv"
	"fmt"
	"strconv"

	"github.com/pfnamp/pfnamp/evaluate"
)

//go:embed benchmark_q50.csv benchmark_q90.csv
var published embed.FS

// Published returns the figures of the paper's tables 1 and 2 (Nagler and Rügamer, arXiv
// 2505.11325v4): coverage, width and time_s of the methods "paper" and "bootstrap" with the model
// named by the coordinate "model" (tabpfn or tabicl), ten splits of each data set. SE is half of
// the ± 2 se that the tables print, rounded as there.
func Published() ([]evaluate.Result, error) {
	var all []evaluate.Result
	for _, f := range []string{"q50", "q90"} {
		file, err := published.Open("benchmark_" + f + ".csv")
		if err != nil {
			return nil, err
		}
		records, err := csv.NewReader(file).ReadAll()
		if err != nil {
			return nil, err
		}
		functional := map[string]string{"q50": "q0.5", "q90": "q0.9"}[f]
		for i, record := range records[1:] {
			r, err := publishedResult(record, functional)
			if err != nil {
				return nil, fmt.Errorf("benchmark_%s.csv, row %d: %w", f, i+1, err)
			}
			all = append(all, r)
		}
	}
	return all, nil
}

// publishedResult reads method, model, metric, dataset, value, two_se.
func publishedResult(record []string, functional string) (evaluate.Result, error) {
	value, err := strconv.ParseFloat(record[4], 64)
	if err != nil {
		return evaluate.Result{}, err
	}
	twice, err := strconv.ParseFloat(record[5], 64)
	if err != nil {
		return evaluate.Result{}, err
	}
	method := record[0]
	if method == "amp" {
		method = evaluate.MethodPaper
	}
	return evaluate.Result{
		Params: []evaluate.Param{
			{Name: "dataset", Value: record[3]}, {Name: "model", Value: record[1]}},
		Measure: evaluate.Measure{Method: method, Functional: functional, Metric: record[2],
			Value: evaluate.Number(value), SE: evaluate.Number(twice / 2), N: 10},
	}, nil
}
