// Package next says which rows to measure next: those that are expected to improve on the best row,
// to come near a target, or to teach the most about the mean.
//
// The gain of a row is
//
//   - for a minimum, a maximum or a target the expected improvement (Mockus 1975; Jones, Schonlau
//     and Welch 1998) under a normal belief about the function at the row;
//   - for learning the expected fall of the variance of the mean over a population of rows (Cohn
//     1996, Neural Network Exploration Using Optimal Experiment Design).
//
// Beliefs about several rows are joint: rows near each other move together, by the coupling of
// package joint. A batch is chosen row by row: when a row is chosen, the belief about all others is
// what a measurement there would leave, so that the rows of a batch differ.
package next
