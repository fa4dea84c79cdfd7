// Command pfnamp tells how far to trust a tabular foundation model's
// prediction. It reads a training table and a query table, and computes the
// predictive distribution of every label with a prior-data fitted network. It
// writes point estimates with credible intervals of the conditional mean,
// quantiles and event probabilities, and a predictive interval of the label.
//
//	pfnamp predict train.csv test.csv --target y -o out.csv
//
// Data go to standard output or a file, everything else to standard error.
// Exit statuses are listed in internal/fault/fault.go, in `pfnamp --help` and on
// docs/reference/exit-statuses.md.
package main
