// Package evaluate measures predictive distributions and credible intervals on random splits of
// tables: how good are the predictions, and do the intervals hold what they should?
//
//	parts, err := setting.Divide(table)
//	cells := setting.TableCells(table, parts)
//	outcomes, err := evaluate.Run(ctx, cells, nil, setting.Workers, nil)
//	results := evaluate.Average(evaluate.Results(cells, outcomes), "split")
//	crps, ok := evaluate.Find(results, evaluate.MethodPPD, "", "crps")
//
// The types to know:
//
//   - [Setting] says what to measure: the model, the functionals, the level and the splits;
//   - [Model] is anything that reads a labelled table and returns a [PPD] for every query row;
//   - [Method] turns predictions into credible intervals of functionals. It is a [Posterior], which
//     is any method of package amp, or a [Bootstrap];
//   - [Result] is one measured number.
//
// Two kinds of interval are never mixed:
//
//   - a predictive interval is about a label and is scored against labels;
//   - a credible interval is about a functional of the conditional distribution. It is scored
//     against the true functional, which a simulation knows, or against a surrogate: the functional
//     that a second model, fitted on the held-out rows alone, predicts for them (Nagler and
//     Rügamer, arXiv 2505.11325, section 5.3).
//
// An experiment is a list of cells, such as [Setting.TableCells] makes. Every [Cell] has random
// streams of its own. [Run] computes the cells and keeps every finished cell in a [Store], so a
// second run continues where the first one stopped. No result depends on the number of workers.
// Your own cells count what they find in a [Tally]. The folder studies is an example, with the
// experiments of the publication.
package evaluate
