// Package drift asks whether a batch of rows is like the rows of a context.
//
// Without labels, [Compare] is a two-sample test: a logistic regression learns to tell rows of the
// batch from rows of the context, and is tested on rows that it has not read (Lopez-Paz and Oquab
// 2017, Revisiting Classifier Two-Sample Tests). Its odds are weights under which the context looks
// like the batch (Tibshirani, Barber, Candès and Ramdas 2019, Conformal Prediction Under Covariate
// Shift).
//
// With labels, a [Martingale] bets against the hypothesis that the rows of the batch come from
// where those of the context came from (Vovk, Nouretdinov and Gammerman 2003; Vovk et al. 2021,
// Retrain or Not Retrain): under the hypothesis it reaches c with probability at most 1/c, however
// long the batch is.
package drift
