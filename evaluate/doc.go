// Package evaluate measures predictive distributions and credible intervals: scores on repeated
// random splits of a table, and the simulation studies of Nagler and Rügamer (arXiv 2505.11325)
// against the analytic optimum.
//
// What is measured is a [Model], anything that reads a labelled table and returns a [PPD] for
// every query row: a network, or [Ideal], the exact Bayesian solution of the paper's additive
// model. A [Method] turns its predictions into credible intervals of functionals: chains with the
// paper's schedule, chains with a local schedule, the model's own posterior, or a bootstrap.
//
// Two kinds of interval are never mixed. A predictive interval is one of a label and is scored
// against labels. A credible interval is one of a functional of the conditional distribution and
// is scored against the true functional, which a simulation knows, or against a surrogate: the
// functional that a second model, fitted on the held-out rows alone, predicts for them (section
// 5.3 of the paper).
//
// A [Study] is a list of cells, each with a random stream of its own; [Run] computes them, keeps
// every finished cell in a [Store], and a second run continues where the first one stopped. No
// result depends on the number of workers.
package evaluate
