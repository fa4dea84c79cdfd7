// Package tabpfn is what surrounds a network of the TabPFN family: from a numeric table with
// missing values to the float32 tensors that the network reads, and from the logits that it
// returns to the probabilities of the bars. What is made of logits of classes is not here.
//
// An ensemble member has a feature pipeline: a transform of the columns, an encoding of categories,
// singular components, perhaps a hash of the row, and a shuffle of what that makes. Half of the
// members of a regressor learn a Yeo-Johnson transform of the target; those of a classifier read
// the classes in different orders. All random choices are drawn with NumPy's generator, so the
// members are those of the reference implementation.
//
// The networks of v2 have the two pipelines of package 2.0.9. Quantile keeps every feature, appends
// its position among the quantiles of its column and the leading singular components of all of
// these, and permutes the codes of common categories. Power gives every feature a normal shape by
// the Yeo-Johnson transform and spreads categories over indicator columns. Of classifiers Quantile
// has half as many quantiles, and Unchanged, which leaves the features as they are, is in the place
// of Power. Newer networks bring a Recipe of pipelines of package 8.4.0. What differs between the
// two is a plan.
//
// The logits of a member belong to bars between its own borders: the common ones, mapped back
// through its target transform. Their mass is moved to the common bars, then averaged.
//
// Everything is computed in float64 with statistics of the context rows alone, except where the
// reference rounds borders to float32.
//
// Reference: tabpfn 2.0.9 and 8.4.0, TabPFNRegressor and TabPFNClassifier, with scikit-learn 1.6.1,
// including their mistakes: see Schema.Declared, saltedHash and Preset.FixedCDF. Differences, all
// of them deliberate: the query rows never influence each other, as with the package's own cached
// context; a column or target without variation but with missing values keeps its shape instead of
// following the rounding error of its variance; a target transform that cannot be found is the
// identity; equal rows of missing or huge cells have one hash, for which the reference searches
// another without end; the deviation of a target in a very small or very large unit is that in a
// usual one.
package tabpfn
