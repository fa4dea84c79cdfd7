// Package trend is what this project puts around a network: ridge regressions whose predictions
// members of an ensemble read beside the table, or whose residuals in place of its target. It knows
// no network, no table and no family: features go in, standardised, with a number in every cell,
// and trends come out. Any family of networks may have them.
//
// There are two kinds, Linear on the features themselves and Kernel on features whose inner
// products are a kernel, with columns that suit the target. Both may read levels of categories, and
// of columns of few numbers, as indicators (Levels). Fit learns trends from the context.
//
//   - Of a regression a member reads what the trend leaves of the target, and what the network says
//     of that is added to the trend. Set.Along says where trends are at query rows, by how much
//     that of a kernel may be off, and how far rows are beyond the context (Reach), where trends
//     flatten out.
//   - Of a classifier a member reads shares of the classes, Set.Shares, as columns after the
//     features.
//
// Not every trend is worth it: Lesson.Instead names the kind that its members have then. How
// members take turns, what else they read and how they are averaged is up to the family and to
// package pfn.
//
// A Trend and a Reach are what a state saves of them; Restore checks those of a file.
package trend
