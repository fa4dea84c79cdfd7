package main

import "github.com/pfnamp/pfnamp/tabular"

// observed returns the labels that a batch of TEST has itself, as numbers by row: NaN where the cell
// is missing or no number, and in every row of a table without the target. Of a classifier they are
// classes, tabular.Unseen for a label that TRAIN lacks.
func observed(s *tabular.Schema, b *tabular.Batch) []float64 { return s.Observed(b) }
