package evaluate

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// Shard returns every count-th cell, from the number-th on, counted from 1: one of count parts of
// the work, of sizes that differ by at most one. The part is empty where there are fewer cells.
func Shard(cells []Cell, number, count int) []Cell {
	var part []Cell
	for i := number - 1; i < len(cells); i += count {
		part = append(part, cells[i])
	}
	return part
}

// MissingError reports cells that are not finished.
type MissingError struct {
	Keys []string // of these cells, in order
	Of   int      // cells in all
}

// Error implements error. It names the first five.
func (e *MissingError) Error() string {
	names := e.Keys
	if len(names) > 5 {
		names = append(append([]string{}, names[:5]...), "...")
	}
	return fmt.Sprintf("%d of %d parts are missing: %s", len(e.Keys), e.Of, strings.Join(names, ", "))
}

// Merge takes the finished cells of other folders into the store, those of the first folder that
// has them, so that Run computes none of them again. The setting is that of the store. Errors are a
// *StoreError of a folder with the results of another setting, a *MissingError where cells are in
// none of them, and those of the system, as of a folder that is no store.
func (s *Store) Merge(folders []string, setting map[string]string, cells []Cell) error {
	var others []*Store
	for _, folder := range folders {
		if err := sameSetting(folder, setting); err != nil {
			return err
		}
		others = append(others, &Store{folder})
	}
	missing := &MissingError{Of: len(cells)}
	for _, c := range cells {
		found, err := s.take(c.Key, others)
		if err != nil {
			return err
		}
		if !found {
			missing.Keys = append(missing.Keys, c.Key)
		}
	}
	if len(missing.Keys) > 0 {
		return missing
	}
	return nil
}

// sameSetting compares the setting of a folder that must be a store.
func sameSetting(folder string, setting map[string]string) error {
	path := filepath.Join(folder, settingFile)
	if _, err := os.Stat(path); err != nil {
		return err
	}
	return KeepSetting(path, folder, setting)
}

// take keeps the outcome of a cell that the store or another one has.
func (s *Store) take(key string, others []*Store) (found bool, err error) {
	if _, found, err = s.load(key); found || err != nil {
		return found, err
	}
	for _, other := range others {
		outcome, found, err := other.load(key)
		if err != nil {
			return false, err
		}
		if found {
			return true, s.save(key, outcome)
		}
	}
	return false, nil
}
