package tabular

import (
	"errors"
	"os"
	"path/filepath"
)

// SameFile reports whether two paths lead to the same file, through links or not. Paths that do not
// exist are the same only if both name the same place. "-" is not a file.
func SameFile(a, b string) (bool, error) {
	if a == "-" || b == "-" {
		return false, nil
	}
	first, errA := os.Stat(a)
	second, errB := os.Stat(b)
	if errA == nil && errB == nil {
		return os.SameFile(first, second), nil
	}
	for _, err := range []error{errA, errB} {
		if err != nil && !errors.Is(err, os.ErrNotExist) {
			return false, err
		}
	}
	if errA == nil || errB == nil {
		return false, nil
	}
	return samePlace(a, b)
}

// samePlace reports whether two paths of files that do not exist name the same place.
func samePlace(a, b string) (bool, error) {
	var places [2]string
	for i, path := range []string{a, b} {
		full, err := filepath.Abs(path)
		if err != nil {
			return false, err
		}
		dir, name := filepath.Split(full)
		if real, err := filepath.EvalSymlinks(dir); err == nil {
			dir = real
		}
		places[i] = filepath.Join(dir, name)
	}
	return places[0] == places[1], nil
}
