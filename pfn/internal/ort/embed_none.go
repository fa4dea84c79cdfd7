//go:build !embedort

package ort

// embedded is empty: this program carries no library.
func embedded() packed { return packed{} }

// unpackEmbedded has nothing to unpack.
func unpackEmbedded(string) ([]string, error) { return nil, nil }
