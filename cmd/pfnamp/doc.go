// Command pfnamp tells how far to trust a tabular foundation model's
// prediction: it reads a training table and a query table, computes the
// predictive distribution of the label of every query row with a prior-data
// fitted network, and writes point estimates with credible intervals of the
// conditional mean, quantiles and event probabilities beside the predictive
// interval of the label.
//
//	pfnamp predict train.csv test.csv --target y -o out.csv
//
// Data go to standard output or a file, everything else to standard error.
// Exit statuses are listed in exit.go, in `pfnamp --help` and on docs/reference/exit-statuses.md.
package main
