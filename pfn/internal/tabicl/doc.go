// Package tabicl surrounds a network of the TabICLv2 family. It turns a numeric table with missing
// values into the float32 tensors that the network reads.
//
// The target is standardised. Features are encoded: categorical columns first, missing values
// imputed with column means, constant columns dropped. Then they run through one pipeline per norm:
// standardise, optionally Yeo-Johnson, clip outliers softly. Ensemble members differ by norm and by
// a permutation of the features from a Latin square. CPython's generator draws it, so the members
// are those of the reference implementation.
//
// A classifier reads classes instead of a target, and its members also differ by a rotation of the
// classes.
//
// All computations are in float64 with statistics of the context rows, cell by cell. So the
// encoding of a query row does not depend on other query rows. Finite input of any magnitude gives
// finite output.
//
// Reference: soda-inria/tabicl 2.1, TabICLRegressor, and 2.2, TabICLClassifier. Deliberate
// differences:
//
//   - a feature that is missing in all query rows is imputed, never dropped;
//   - the target is not rounded to float32 before it is centred;
//   - values beyond 2^200 are scaled by powers of two;
//   - the 1e-6 added to deviations is relative for columns with a deviation below 1e-4.
package tabicl
