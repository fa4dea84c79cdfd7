// Package nori is what surrounds a network of the Nori family: from a numeric table with missing
// values to the float32 tensors that the network reads.
//
// A member has a pipeline of steps, each with a seed of its own:
//
//  1. products: every column over its deviation, and products of random pairs of columns;
//  2. columns that vary are kept;
//  3. a transform: positions among the quantiles of a column, or what suits the distribution of
//     each column (adaptive); singular components of all of these may follow;
//  4. codes of very common categories are permuted;
//  5. a hash of the row follows;
//  6. the columns are shuffled.
//
// Columns of fewer than four values in a table of 100 rows or more are categories, which step 3
// leaves as they are. Tables are rounded to float32 before all steps, and again after some, as the
// reference does; statistics are float64, of the context rows alone.
//
// Reference: synthefy-nori 0.22.0, NoriRegressor, with scikit-learn 1.9 and SciPy 1.17. It projects
// tables of more than 256 columns on singular vectors of context and query rows together. Then a
// prediction depends on other query rows; this package has no such step, and bundles have no more
// columns. Differences: a hash is that of the row in float64, and of values that may differ in the
// last digit, so it is another random number than that of the reference; a category that the
// context lacks is one more code, and a missing one too if none is missing there.
package nori
