// Package conformal makes intervals of numbers and sets of classes that hold a new label with a
// promised probability, however wrong the model is, if the rows are exchangeable: their order does
// not matter. It knows no model: you give it scores of rows that the model has not read, and what
// the model says about a new row.
//
//	c := conformal.NewCalibration(0.9, folds, foldOf, groups, scores)
//	interval := c.Interval(0, central)  // central[k] is from the model without fold k
//	promise := c.Guarantee(0)
//
// You need two types:
//
//   - [Interval] is an interval of numbers. [Interval.Miss] is the score of a label: how far the
//     label lies outside. [Strangeness] is the score of a class;
//   - [Calibration] keeps the scores. It answers with [Calibration.Interval] for numbers and
//     [Calibration.Usual] for classes, over all rows or within groups of rows.
//
// [Weighted] does the same where query rows differ from the rows of the table (covariate shift).
// [LeastRows] is how many rows a level needs. Package heldout computes the scores with a network.
//
// The method is K-fold cross-conformal prediction (CV+). Sources: Romano, Patterson and Candès
// (2019), Conformalized Quantile Regression, for the score of numbers; Romano, Sesia and Candès
// (2020), Classification with Valid and Adaptive Coverage, for the score of classes; Barber,
// Candès, Ramdas and Tibshirani (2021), Predictive inference with the jackknife+, theorem 4, for
// the combination of folds and its guarantee; Vovk (2012), Conditional validity of inductive
// conformal predictors, for groups.
package conformal
