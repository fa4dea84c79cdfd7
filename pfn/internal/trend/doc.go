// Package trend fits ridge regressions around a network. Members of an ensemble read their
// predictions beside the table, or their residuals instead of the target. The package knows no
// network, table or family: it takes standardised features without missing cells and returns
// trends. Any family of networks can use them.
//
// There are two kinds: Linear uses the features themselves, and Kernel features whose inner
// products are a kernel, with columns that suit the target. Both may read levels of categories, and
// of columns with few numbers, as indicators (Levels). Fit fits trends to the context.
//
//   - In a regression a member reads the residuals of the trend, and the trend is added to the
//     network's output. Set.Along returns the trends at query rows, the error variance of a kernel
//     trend, and how far rows are beyond the context (Reach), where trends flatten out.
//   - In a classifier a member reads shares of the classes, Set.Shares, as columns after the
//     features. Beside all members are log odds of a line, Set.LogOdds.
//
// Not every trend helps: Lesson.Instead names the kind that replaces it. The family and package pfn
// decide how members take turns, what else they read, and how they are averaged.
//
// A Trend and a Reach are the saved parts.
package trend
