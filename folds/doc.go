// Package folds divides the rows of a table for cross-validation: which rows a model reads, and
// which rows it then predicts.
//
//	plan := folds.Plan{Count: 5, Seed: 1, Strata: make([]int, rows)}
//	all, err := plan.Folds()
//	for _, fold := range all {
//		// fit the rows fold.Read, predict the rows fold.Held
//	}
//
// A [Plan] says how the rows are divided, a [Fold] lists rows by index. A check is honest only if
// the held rows are as new to the model as future rows will be. So choose the division by what a
// future row is:
//
//   - a row like any other: at random, evenly by class ([Plan].Strata);
//   - a row of a new patient, shop or plot: whole groups ([Plan].Groups);
//   - a later row: in the order of time ([Plan].Times), where the past predicts the future.
package folds
