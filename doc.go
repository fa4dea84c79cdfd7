// Package pfnamp predicts the rows of a table with a tabular foundation model, and quantifies the
// uncertainty of every prediction. You give it a labelled table and a question. It answers with
// estimates and intervals. The program pfnamp is a layer above this library.
//
//	model, err := pfnamp.Open("", pfn.Options{})                          // the embedded model
//	train, err := tabular.ReadAll(ctx, "train.csv", tabular.ReadOptions{})
//	fitted, err := pfnamp.Fit(ctx, model, train, pfnamp.FitOptions{Target: "y"})
//	asked, err := fitted.Prepare(ctx, pfnamp.Question{Functionals: functionals})
//	answer, err := asked.Rows(ctx, []map[string]any{{"age": 50, "sex": "f"}})
//
// The types to know:
//
//   - [Fitted], from [Fit], is a labelled table that the network has read once. Fit infers which
//     columns are numbers, categories, dates and truth values;
//   - [Predictor], from [Fitted.Prepare], answers one [Question] for any rows: an Arrow batch of
//     package tabular, or Go maps and structs;
//   - [Answer] has an estimate with its credible interval for every posterior, functional and row.
//     This interval covers the uncertainty about the function. The answer also has the predictive
//     interval of a single label, which includes noise and is wider. A classifier's answer has the
//     probability of every class. [Predictor.Record] makes a table with the program's column names.
//
// [Open] loads a model, and any number of tables can share it. [TaskOf] reports whether a table's
// target is numbers or classes, and [OpenFor] loads the default model of that task.
//
// # Saved states
//
// [Fitted.Save] writes what the network remembers of the table. [Load] finds the bundle of a state,
// opens its network and restores the fitted table with the same bits. [OpenState] with
// [State.Restore] uses a network that is already open. [StateSchema] describes a state. A state
// contains the training data.
//
// # Other packages
//
//   - joint: averages and differences of several rows;
//   - explain: what drives the answers;
//   - batching: goroutines that ask at the same time share a run of the network;
//   - check: whether new rows are like the table;
//   - next: which rows to measure next;
//   - forecast: series in time;
//   - serve: answers over HTTP and gRPC.
//
// # Errors
//
// An error about a table is a *tabular.Error with file, row and column. An error about a question
// is an [*OptionError] with its field. Errors of the model and of onnxruntime have types of package
// pfn. If onnxruntime is missing, the error tells how to get it. Package warning has warnings about
// facts that do not stop a job.
//
// # Concurrency and determinism
//
// [Fitted] and [Predictor] are safe for concurrent use. The same table, options and seed give the
// same bits, whatever the number of goroutines and the batches.
package pfnamp
