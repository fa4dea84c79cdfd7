// Package paper is the laboratory of the publication behind package amp: Nagler and Rügamer,
// "Uncertainty Quantification for Prior-Data Fitted Networks using Martingale Posteriors" (arXiv
// 2505.11325). It repeats the experiments whose truth is known, [Additive] data beside the analytic
// optimum, and those on tables, beside the [Published] figures.
//
// A [Study] is a list of cells for [evaluate.Run]. The model that is measured is any
// [evaluate.Model]: a network, or [Ideal], the exact Bayesian solution of the simulated model,
// whose own posterior is the optimal one. Methods that are studied and not to be used are here too:
// [Calibrated], and the variants of the paper's ablation. The study "calibration" is not the
// publication's: it scores the posteriors of all functionals on ten families of functions.
package paper
