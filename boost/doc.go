// Package boost fits gradient-boosted regression trees on histograms to tables with more rows than
// a network reads. The network reads their prediction as a column more.
//
// Cells are sorted into at most 255 bins a column, missing cells into one of their own. A tree is
// oblivious: all leaves of a level divide by the same split, the one that reduces the loss most,
// the squared error of a number, or the log loss of a class against the others. A feature of more
// categories or whole numbers than bins has a second column, the mean target of a row's value.
// Rows that the trees do not read say when to stop.
//
// Sources: J. H. Friedman, "Greedy function approximation: a gradient boosting machine", Annals of
// Statistics 29 (2001) 1189-1232; G. Ke et al., "LightGBM: a highly efficient gradient boosting
// decision tree", NeurIPS 30 (2017); L. Prokhorenkova et al., "CatBoost: unbiased boosting with
// categorical features", NeurIPS 31 (2018), which has oblivious trees and means of targets.
//
// The same table gives the same trees, whatever the number of goroutines.
package boost
