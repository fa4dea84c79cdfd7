// Package conformal turns scores of rows that a model has not read into predictions with a promise:
// intervals of numbers and sets of classes by K-fold cross-conformal prediction (CV+), over all
// rows or within groups of rows. It knows no model, only folds, scores and what the model without
// every fold says about a row.
//
// Sources: Romano, Patterson and Candès (2019), Conformalized Quantile Regression, for the score of
// numbers; Romano, Sesia and Candès (2020), Classification with Valid and Adaptive Coverage, for
// the score of classes; Barber, Candès, Ramdas and Tibshirani (2021), Predictive inference with the
// jackknife+, theorem 4, for the combination of folds and its guarantee; Vovk (2012), Conditional
// validity of inductive conformal predictors, for groups.
package conformal
