// Package tabpfn surrounds a network of the TabPFN family. It turns a numeric table with missing
// values into the float32 tensors that the network reads, and its logits into probabilities of
// bars. It does not handle logits of classes.
//
// An ensemble member has a feature pipeline: a transform of the columns, an encoding of categories,
// singular components, perhaps a hash of the row, and a shuffle of the resulting columns. Half of
// the members of a regressor read a Yeo-Johnson transform of the target. Members of a classifier
// read the classes in different orders. NumPy's generator draws all random choices, so the members
// are those of the reference implementation.
//
// Networks of v2 have the two pipelines of package 2.0.9. Quantile keeps every feature, appends its
// position among the quantiles of its column and the leading singular components of all these
// columns, and permutes the codes of common categories. Power gives every feature a normal shape by
// the Yeo-Johnson transform and spreads categories over indicator columns. In a classifier Quantile
// has half as many quantiles, and Unchanged, which does not change the features, replaces Power.
// Newer networks have a recipe of pipelines of package 8.4.0. Networks of Nori have pipelines of
// another package, with several seeds for a member: products of columns, a transform (positions
// among quantiles, or one that suits each column), components, codes, a hash, a shuffle. A plan
// holds the differences between the three.
//
// The logits of a member belong to bars between its own borders: the common borders, mapped back
// through its target transform. Their mass is moved to the common bars, then averaged.
//
// All computations are in float64 with statistics of the context rows, except where the reference
// rounds borders to float32.
//
// Reference: tabpfn 2.0.9 and 8.4.0, TabPFNRegressor and TabPFNClassifier, with scikit-learn 1.6.1,
// including their mistakes: see fitLayout, saltedHash and newTranslation. Deliberate
// differences:
//
//   - query rows never influence each other, as with the package's cached context;
//   - a constant column or target with missing values keeps its shape, and does not follow the
//     rounding error of its variance;
//   - a target transform that cannot be found is the identity;
//   - equal rows of missing or huge cells have the same hash, for which the reference searches
//     forever;
//   - the deviation of a target in a very small or very large unit is the same as in a usual unit.
//
// Reference of Nori: synthefy-nori 0.22.0, NoriRegressor, with scikit-learn 1.9 and SciPy 1.17. It
// projects tables of more than 256 columns on singular vectors of context and query rows together,
// which makes a prediction depend on other query rows; bundles have at most 256 columns. The hash
// of a row reads float64 values, which may differ in the last digit, and a category or a missing
// cell that the context lacks gets a new code.
package tabpfn
