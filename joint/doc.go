// Package joint asks about several rows together: their average, and the difference of two rows or
// groups, with an interval.
//
//	effects, err := joint.Compare(ctx, predictor, answer, towns, "Bath - York")
//
// The posterior of a single row does not say how rows move together. The types to know, for more
// rows than memory holds and for draws:
//
//   - [Coupling] makes posterior draws of many rows belong together: near rows move together. The
//     posterior of every single row stays as it is;
//   - [Averages] sums the draws over all rows, groups and single rows, and estimates the
//     differences that you list as [Contrast];
//   - [Effect] is an average or a difference, with its interval. Of a difference it also has the
//     probability of being above 0.
//
// Package amp turns the ranks of coupled rows into simultaneous bands (amp.Simultaneous,
// pfnamp.Predictor.At).
package joint
