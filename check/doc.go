// Package check compares a batch of rows with the rows that a model has read (the context), and
// reports drift in words and figures.
//
//	batch, err := check.Read(schema, table)
//	report, err := check.Features(schema, context, batch, seed)
//	err = report.JudgeLabels(ctx, fitted, batch, 0.9, seed) // if the batch has labels
//	fmt.Println(report.Sentences("train.csv"))
//
// The types to know:
//
//   - [Batch] holds encoded rows, with labels or without;
//   - [Report] says how much the features differ, by column, and how well the model predicts the
//     labels. [Report.Figure] returns one number by its name, for an alarm;
//   - [Watch] compares the rows that a running service answers, window after window.
//
// Package drift has the tests and their sources.
package check
