// Package pfn predicts with prior-data fitted networks. A network that was trained on synthetic
// tables reads a labelled context table and returns the posterior predictive distribution of every
// query row. Nothing is fitted to the data by gradient descent.
//
//	bundle, err := models.Default()
//	model, err := pfn.Open(bundle, pfn.Options{})
//	defer model.Close()
//	c, err := model.Fit(ctx, pfn.Training{X: x, Y: y})
//	defer c.Close()
//	ppds, err := c.Predict(ctx, query)
//	ppds[0].Mean(), ppds[0].Quantile(0.9), 1-ppds[0].CDF(150)
//
// The types to know:
//
//   - [Model], from [Open], is a network in memory;
//   - [Context], from [Model.Fit], is a labelled table, encoded once. It answers any number of
//     questions about any number of rows;
//   - [PPD] is the distribution of the label of one row.
//
// The target of a classifier is the classes 0, 1, .... [Model.Classifier] reports whether a model
// is a classifier. [Context.PredictClasses] returns the probability of every class instead of the
// distribution of a number.
//
// A network may have a second output, its own posterior: a [Surface] of all quantiles and the mean
// of the noise-free conditional distribution, or a [ClassPosterior] of the class probabilities.
// [Model.Own] reports whether there is one. [Context.Results] returns both outputs from one run.
//
// Features are numbers. Categories are ordinal codes, -1 for missing or unseen ones. NaN is a
// missing number.
//
// On a CPU a row's distribution has the same bits whatever the other rows and threads are. Between
// machines results agree to about 1e-5 standard deviations of the target, because float32 kernels
// differ. [Verify] measures it.
//
// [Context.Save] writes a fitted context to a file. [ReadState] and [Model.Restore] read it back.
// Its predictions have the same bits.
//
// # Errors
//
//   - *InputError: a cell cannot be used;
//   - *LimitError: a table exceeds the model;
//   - *BundleError: a bundle cannot be loaded;
//   - *NoDirectError: the bundle has no posterior of the functional;
//   - *TaskError: the bundle predicts classes rather than numbers, or the other way round;
//   - *ModelError: the network returns invalid output.
//
// Errors of the native library pass through with their reason and remedy.
package pfn
