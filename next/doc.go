// Package next chooses which rows to measure next: rows that are expected to improve on the best
// row, to come near a target, or to tell most about the mean.
//
//	goal, err := next.ParseGoal("maximum")
//	options := next.Options{Goal: goal, Batch: 4}
//	beliefs, err := next.Believe(ctx, predictor, options, candidates, measured)
//	choices, err := next.Choose(beliefs, candidates.Rows(), options)
//
// The types to know:
//
//   - [Beliefs] are the mean, the spread and the correlations of rows under one model. One model is
//     the network, whose rows package joint couples, the other a Gaussian process;
//   - [Goal] is a minimum, a maximum, a target value, or learning;
//   - [Choice] is a row with its gain.
//
// The gain of a row depends on the goal:
//
//   - for a minimum, a maximum or a target: the expected improvement (Mockus 1975; Jones, Schonlau
//     and Welch 1998) under a normal belief about the function at the row;
//   - for learning: the expected fall of the variance of the mean over a population of rows (Cohn
//     1996, Neural Network Exploration Using Optimal Experiment Design).
//
// A search for a low value follows few rows near the best one. There a Gaussian process finds lower
// values than the network: it is smooth, and the intervals of the network stay wide far away. For
// learning, [Believe] weighs both models by how well they predict the table.
//
// [Choose] fills a batch row by row. After each row it updates the belief about the others as if
// that row had been measured. So the rows of a batch differ.
package next
