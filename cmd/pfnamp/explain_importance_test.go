package main

import (
	"fmt"
	"testing"
)

// A share that is a little below 0 reads 0.
func TestPercents(t *testing.T) {
	for share, want := range map[float64]string{-0.004: "0", 0.004: "0", -0.006: "-1", 0.146: "15"} {
		if got := fmt.Sprintf("%.0f", percents(share)); got != want {
			t.Errorf("%g: %s, want %s", share, got, want)
		}
	}
}
