// Package heldout predicts rows of a context by models that have not read them, fold by fold: for
// conformal intervals of numbers and sets of classes, and for what is to be expected of labels and
// of doubts. Package conformal has the mathematics.
package heldout
