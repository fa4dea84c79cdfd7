package main

import (
	"path/filepath"
	"testing"
)

func TestStudiesHaveDistinctKeys(t *testing.T) {
	for _, s := range studies() {
		seen := map[string]bool{}
		for _, c := range s.cells(setting{sets: 2, points: 20}) {
			if seen[c.Key] || filepath.Base(c.Key) != c.Key {
				t.Errorf("%s: key %q is repeated or no file name", s.name, c.Key)
			}
			seen[c.Key] = true
		}
	}
}
