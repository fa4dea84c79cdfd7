package models

import (
	"path/filepath"

	"github.com/pfnamp/pfnamp/internal/wire"
)

// tiny is a bundle of random weights, made by testdata/tiny.py.
var tiny = filepath.Join("..", "testdata", "tiny")

func floats(names ...string) []wire.Port {
	var values []wire.Port
	for _, name := range names {
		values = append(values, wire.Port{Name: name, Element: wire.Float})
	}
	return values
}
