//go:build !race

package tabular

// raceFactor scales the bounds in tests; see race_on_test.go.
const raceFactor = 1
