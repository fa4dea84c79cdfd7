// Package pfnamp predicts the rows of a table with a tabular foundation model and tells how far to
// trust every prediction: a labelled table, a question, answers with intervals. It is what the
// program pfnamp does, as a library.
//
// # The job
//
//	model, err := pfnamp.Open("", pfn.Options{})                          // the embedded model
//	train, err := tabular.ReadAll(ctx, "train.csv", tabular.ReadOptions{})
//	fitted, err := pfnamp.Fit(ctx, model, train, pfnamp.FitOptions{Target: "y"})
//	asked, err := fitted.Prepare(ctx, pfnamp.Question{Functionals: functionals})
//	answer, err := asked.Rows(ctx, []map[string]any{{"age": 50, "sex": "f"}})
//
// [Open] loads a model, which any number of tables share. [TaskOf] tells from a table whether
// numbers or classes are to be predicted, and [OpenFor] loads the model that stands for such a
// task. [Fit] reads a labelled table: columns of numbers, categories, dates and truth values are
// told apart, and the network encodes the rows once.
// [Fitted.Prepare] readies a [Question] and draws the chains that all rows share. The [Predictor]
// then answers for any rows: an Arrow batch of package tabular, or Go maps and structs.
//
// An [Answer] has an estimate with its credible interval for every posterior, functional and row:
// the interval says what is unknown about the function. It also has the predictive interval of a
// single label, which includes noise and is wider. Of a classifier it has the probability of every
// class. Its columns have the names that the program gives them: [Predictor.Record].
//
// # Saved states
//
// [Fitted.Save] writes what the network remembers of the table, and [Load] makes it again without
// the table, with the same bits: it finds the bundle of the state and opens its network.
// [OpenState] with [State.Restore] does so with a network that is open already; [StateSchema] is
// what a state tells besides. A state contains the training data.
//
// # Many questions at the same time
//
// A run of the network costs far more than a row. Package batching runs the rows together that
// goroutines ask about at the same time, with the same bits.
//
// # Several rows
//
// Package joint makes posterior draws of many rows belong together, sums them over all rows, groups
// and single rows, and estimates their differences.
//
// # Errors, and what holds
//
// Errors about tables are a *tabular.Error with file, row and column, those about a question an
// [*OptionError] with its field, those of the model and of onnxruntime have types of package pfn.
// Where onnxruntime is missing the text of the error says how to get it. What does not stop a job
// is a [Warning].
//
// [Fitted] and [Predictor] are safe for concurrent use. The same table, options and
// seed give the same bits, whatever the number of goroutines and the batches.
package pfnamp
