//go:build race

package tabular

// raceFactor is by how much the race detector's memory and time exceed those of an ordinary
// build, roughly; bounds in tests are scaled by it.
const raceFactor = 5
