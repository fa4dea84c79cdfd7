// Package folds divides the rows of a table for cross-validation: which rows a model reads, and
// which rows it then predicts. Rows may be divided at random, stratum by stratum, by whole groups,
// or in the order of time. A check on rows is honest only where they are as independent of the rows
// that the model has read as future rows will be.
package folds
