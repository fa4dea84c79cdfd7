//go:build !embedort || !linux

package ort

// embedded is no place: this program carries no library.
func embedded() place { return place{where: "embedded", absent: "not built in"} }
