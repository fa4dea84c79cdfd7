package evaluate

import (
	"errors"
	"fmt"
	"io/fs"
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

// MergeStores is OpenStore for a folder whose cells are all finished, there or in other folders: it
// takes those of the first folder that has them, so that Run computes none of them again. The
// setting is that of all folders. Errors are a *StoreError of a folder with the results of another
// setting, a *MissingError where cells are in none of them, and those of the system, as of a folder
// that is no store. Nothing is written where it fails for any of them but the system's.
func MergeStores(folder string, others []string, setting map[string]string, cells []Cell) (
	*Store, error,
) {
	err := sameSetting(folder, setting)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	stores := []*Store{{folder}}
	for _, other := range others {
		if err := sameSetting(other, setting); err != nil {
			return nil, err
		}
		stores = append(stores, &Store{other})
	}
	outcomes, err := finished(stores, cells)
	if err != nil {
		return nil, err
	}
	s, err := OpenStore(folder, setting)
	for i, c := range cells {
		if err == nil {
			err = s.save(c.Key, outcomes[i])
		}
	}
	return s, err
}

// finished lists the outcomes of cells, each from the first store that has it.
func finished(stores []*Store, cells []Cell) (outcomes []Outcome, err error) {
	missing := &MissingError{Of: len(cells)}
	for _, c := range cells {
		found := false
		for _, store := range stores {
			outcome, kept, err := store.load(c.Key)
			if err != nil {
				return nil, err
			}
			if found = kept; kept {
				outcomes = append(outcomes, outcome)
				break
			}
		}
		if !found {
			missing.Keys = append(missing.Keys, c.Key)
		}
	}
	if len(missing.Keys) > 0 {
		return nil, missing
	}
	return outcomes, nil
}

// sameSetting compares the setting of a folder that must be a store.
func sameSetting(folder string, setting map[string]string) error {
	path := filepath.Join(folder, settingFile)
	if _, err := os.Stat(path); err != nil {
		return err
	}
	return KeepSetting(path, folder, setting)
}
