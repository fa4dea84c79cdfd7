//go:build race

package main

// raced tells that the tests are built with the race detector.
const raced = true
