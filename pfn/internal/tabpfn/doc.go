// Package tabpfn is what surrounds a network of the TabPFN v2 family: from a numeric table with
// missing values to the float32 tensors that the network reads, and from the logits that it
// returns to the probabilities of the bars.
//
// An ensemble member has one of two feature pipelines. Quantile keeps every feature, appends its
// position among the quantiles of its column and the leading singular components of all of these,
// and permutes the codes of common categories. Power gives every feature a normal shape by the
// Yeo-Johnson transform and spreads categories over indicator columns. Either may append a hash of
// the row, and the columns are then shuffled. Half of the members learn a Yeo-Johnson transform of
// the target. All random choices are drawn with NumPy's generator, so the members are those of the
// reference implementation.
//
// The logits of a member belong to bars between its own borders: the common ones, mapped back
// through its target transform. Their mass is moved to the common bars, then averaged.
//
// Everything is computed in float64 with statistics of the context rows alone, except where the
// reference rounds borders to float32.
//
// Reference: tabpfn 2.0.9, TabPFNRegressor, with scikit-learn 1.6.1, including its mistakes: see
// Schema.Declared, fingerprint and Preset.FixedCDF. Differences, all of them deliberate: the query
// rows never influence each other, as with the package's own cached context; a column or target
// without variation but with missing values keeps its shape instead of following the rounding
// error of its variance; a target transform that cannot be found is the identity.
package tabpfn
