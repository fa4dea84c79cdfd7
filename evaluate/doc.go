// Package evaluate measures predictive distributions and credible intervals on random splits of
// tables.
//
// What is measured is a [Model], anything that reads a labelled table and returns a [PPD] for
// every query row. A [Method] turns its predictions into credible intervals of functionals: a
// [Posterior], which is any method of package amp, or a [Bootstrap].
//
// Two kinds of interval are never mixed. A predictive interval is one of a label and is scored
// against labels. A credible interval is one of a functional of the conditional distribution and
// is scored against the true functional, which a simulation knows, or against a surrogate: the
// functional that a second model, fitted on the held-out rows alone, predicts for them (Nagler and
// Rügamer, arXiv 2505.11325, section 5.3).
//
// An experiment is a list of cells, each with random streams of its own, such as those of
// [Setting.TableCells]; [Run] computes them, keeps every finished cell in a [Store], and a second
// run continues where the first one stopped. No result depends on the number of workers. Cells of
// one's own count what they find in a [Tally]; package evaluate/paper is an example, with the
// experiments of the publication.
package evaluate
