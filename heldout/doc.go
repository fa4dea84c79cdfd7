// Package heldout predicts rows of a table with models that have not read them, fold by fold. The
// errors of these predictions show how far to trust new ones.
//
//	table := heldout.Table{Model: model, Rows: rows, Target: heldout.Numbers{}}
//	c, err := table.Conformal(ctx, heldout.Promise{Level: 0.9, Groups: groups, Plan: plan})
//	intervals, err := c.Intervals(ctx, query, groupOfEveryRow)
//
// Most programs call package pfnamp instead: pfnamp.Question with pfnamp.ConformalInterval, and
// pfnamp.Fitted.CheckLabels. The types to know:
//
//   - [Table] is the context: a model, its labelled rows and their [Target];
//   - [Conformal] makes intervals of numbers and sets of classes with a guarantee ([Promise]);
//   - [LabelCheck] compares the labels of a batch with predictions, and with labels of the context.
//
// Package folds divides the rows.
//
// The method of Conformal is K-fold cross-conformal prediction (CV+). It is exact if the rows are
// exchangeable: their order does not matter. Sources: Romano, Patterson and Candès (2019),
// Conformalized Quantile Regression, for the score of numbers; Romano, Sesia and Candès (2020),
// Classification with Valid and Adaptive Coverage, for the score of classes; Barber, Candès, Ramdas
// and Tibshirani (2021), Predictive inference with the jackknife+, theorem 4, for the combination
// of folds and its guarantee; Vovk (2012), Conditional validity of inductive conformal predictors,
// for groups.
package heldout
