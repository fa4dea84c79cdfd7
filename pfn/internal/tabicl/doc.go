// Package tabicl is what surrounds a network of the TabICLv2 family: from a numeric table with
// missing values to the float32 tensors that the network reads.
//
// The target is standardised. Features are encoded (categorical columns first, missing values
// imputed with column means, constant columns dropped) and run through one pipeline per norm:
// standardise, optionally Yeo-Johnson, clip outliers softly. Ensemble members differ by norm and
// by a permutation of the features from a Latin square, drawn with CPython's generator so that
// they are those of the reference implementation.
//
// A classifier reads classes instead of a target, and its members differ by a rotation of the
// classes too.
//
// Everything is computed in float64 with statistics of the context rows alone, cell by cell, so a
// query row is encoded the same way whatever rows surround it. Finite input of any magnitude gives
// finite output.
//
// Reference: soda-inria/tabicl 2.1, TabICLRegressor, and 2.2, TabICLClassifier. Differences, all of
// them deliberate: a feature that is missing in all query rows is imputed, never dropped; the
// target is not rounded to float32 before it is centred; values beyond 2^200 are scaled by powers
// of two; the 1e-6 added to deviations is relative for columns with a deviation below 1e-4.
package tabicl
