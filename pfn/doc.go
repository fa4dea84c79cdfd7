// Package pfn predicts with prior-data fitted networks: a network that was trained on synthetic
// tables reads a labelled context table and returns, for every query row, its posterior
// predictive distribution. Nothing is fitted to the data by gradient descent.
//
//	bundle, err := models.Default()
//	model, err := pfn.Open(bundle, pfn.Options{})
//	defer model.Close()
//	c, err := model.Fit(ctx, pfn.Training{X: x, Y: y})
//	defer c.Close()
//	ppds, err := c.Predict(ctx, query)
//	ppds[0].Mean(), ppds[0].Quantile(0.9), 1-ppds[0].CDF(150)
//
// A classifier has classes 0, 1, ... as its target: Model.Classifier tells, and
// Context.PredictClasses returns the probability of every class instead of a distribution of a
// number.
//
// A network may have a second output, its own posterior: a Surface, of all quantiles and the mean
// of the noise-free conditional distribution, or a ClassPosterior, of the probabilities of classes.
// Model.Own tells, and Context.Results returns both outputs from one run of the network.
//
// Fit encodes the context once; Predict may be called any number of times with any number of rows.
// On a CPU a row's distribution has the same bits whatever the other rows and threads are. Features
// are numbers: categories are ordinal codes (-1 for missing or unseen ones), NaN is missing.
// Between machines results agree to about 1e-5 standard deviations of the target, because float32
// kernels differ; Verify measures it.
//
// A fitted context outlives the program: Context.Save writes it, ReadState and Model.Restore bring
// it back, and what it predicts has the same bits.
//
// # Errors
//
//   - *InputError: a cell cannot be used;
//   - *LimitError: a table exceeds the model;
//   - *BundleError: a bundle cannot be loaded;
//   - *NoDirectError: the bundle has no posterior of the functional;
//   - *TaskError: the bundle predicts classes rather than numbers, or the other way round;
//   - *ModelError: the network misbehaves.
//
// Errors of the native library pass through with their reason and remedy.
package pfn
