//go:build !embedort

package ort

// embeddedName is empty: this program carries no library.
func embeddedName() string { return "" }

// unpackEmbedded has nothing to unpack.
func unpackEmbedded(string) ([]string, error) { return nil, nil }
