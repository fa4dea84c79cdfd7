// Package nori prepares tables for a network of the Nori family: it turns a numeric table with
// missing values into the float32 tensors that the network reads.
//
// A member has a pipeline of steps, each with a seed of its own:
//
//  1. products: every column over its deviation, and products of random pairs of columns;
//  2. columns that vary are kept;
//  3. a transform: positions among the quantiles of a column, or one that suits the distribution of
//     each column (adaptive); singular components of the results may follow;
//  4. codes of very common categories are permuted;
//  5. a hash of the row follows;
//  6. the columns are shuffled.
//
// Columns of fewer than four values in a table of 100 rows or more are categories, which step 3
// leaves as they are. Tables are rounded to float32 before all steps, and again after some, as the
// reference does; statistics are float64, of the context rows alone.
//
// Reference: synthefy-nori 0.22.0, NoriRegressor, with scikit-learn 1.9 and SciPy 1.17. It projects
// tables of more than 256 columns on singular vectors of context and query rows together, which
// makes a prediction depend on other query rows. This package lacks the step, and bundles have at
// most 256 columns. Two more things differ:
//
//   - The hash of a row reads float64 values, which may differ in the last digit. So it is another
//     pseudo-random number than in the reference.
//   - A category that the context lacks gets a new code. So does a missing cell, if the context has
//     none in its column.
package nori
