// Package check compares a batch of rows with the context that a model has read: the features by
// package drift and, where the batch has labels, the predictions. It words what it finds.
package check
