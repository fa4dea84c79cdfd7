//go:build !embedort

package ort

func embedded() packed { return packed{} }

func unpackEmbedded(string) ([]string, error) { return nil, nil }
