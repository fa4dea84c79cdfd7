// Package drift tests whether new rows (a batch) are like the rows that a model has read (the
// context).
//
//	result, err := drift.Compare(context, batch, categorical, seed)
//	if result.P < 0.01 {
//		fmt.Println(result.Drift, result.Columns) // how far apart, and in which columns
//	}
//
// The types to know:
//
//   - [Result], from [Compare], needs no labels. A logistic regression learns to tell rows of the
//     batch from rows of the context, and is tested on rows that it has not read (Lopez-Paz and
//     Oquab 2017, Revisiting Classifier Two-Sample Tests);
//   - [Weights], from [Weigh], are the odds of that regression. With these weights the context
//     looks like the batch (Tibshirani, Barber, Candès and Ramdas 2019, Conformal Prediction Under
//     Covariate Shift);
//   - [Martingale] watches scores of rows one after the other, such as errors of predictions. It
//     bets that the rows are no longer like the context. While they are, it reaches c with
//     probability at most 1/c, however long the batch is (Vovk, Nouretdinov and Gammerman 2003;
//     Vovk et al. 2021, Retrain or Not Retrain). [Ranks] turns scores into its p-values.
package drift
