package evaluate_test

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"testing"

	"github.com/pfnamp/pfnamp/evaluate"
	"github.com/pfnamp/pfnamp/internal/diskfault"
)

// seven are cells whose figures are no round numbers, and one that JSON does not know.
func seven(ran *int) []evaluate.Cell {
	var cells []evaluate.Cell
	for i := range 7 {
		width := evaluate.Number(1 / float64(3+i))
		if i == 5 {
			width = evaluate.Number(math.Inf(1))
		}
		cells = append(cells, evaluate.Cell{Key: fmt.Sprintf("cell%d", i),
			Run: func(context.Context) (evaluate.Outcome, error) {
				*ran++
				return evaluate.Outcome{Measures: []evaluate.Measure{
					{Method: "m", Metric: "width", Value: width, SE: evaluate.Number(math.NaN())}},
					Curves: []evaluate.Curve{evaluate.Line("l", []float64{0}, []float64{float64(width)})},
				}, nil
			}})
	}
	return cells
}

// Shards divide the cells, and what is merged of them is what one run has, to the last byte.
func TestShards(t *testing.T) {
	setting, ran := map[string]string{"seed": "1"}, 0
	cells := seven(&ran)
	whole := t.TempDir()
	store, err := evaluate.OpenStore(whole, setting)
	if err != nil {
		t.Fatal(err)
	}
	want, err := evaluate.Run(t.Context(), cells, store, 1, nil)
	if err != nil {
		t.Fatal(err)
	}
	var folders []string
	for number := 1; number <= 3; number++ {
		folders = append(folders, t.TempDir())
		part, err := evaluate.OpenStore(folders[number-1], setting)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := evaluate.Run(t.Context(), evaluate.Shard(cells, number, 3), part, 1,
			nil); err != nil {
			t.Fatal(err)
		}
	}
	if ran != 2*len(cells) {
		t.Fatalf("%d cells were computed", ran)
	}
	merged := filepath.Join(t.TempDir(), "merged")
	var missing *evaluate.MissingError
	_, err = evaluate.MergeStores(merged, folders[:2], setting, cells)
	if !errors.As(err, &missing) || err.Error() != "2 of 7 parts are missing: cell2, cell5" {
		t.Errorf("two of three shards: %v", err)
	}
	if _, err := os.Stat(merged); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a refused merge leaves %q, %v", diskfault.Files(t, merged), err)
	}
	if store, err = evaluate.MergeStores(merged, folders, setting, cells); err != nil {
		t.Fatal(err)
	}
	got, err := evaluate.Run(t.Context(), cells, store, 1, nil)
	if err != nil || ran != 2*len(cells) || fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("%v, %d computed:\n%v\n%v", err, ran, got, want)
	}
	if !reflect.DeepEqual(diskfault.Files(t, merged), diskfault.Files(t, whole)) {
		t.Error("the merged folder is another one")
	}
}

// What is no shard of this evaluation is refused.
func TestMergeRefused(t *testing.T) {
	ran := 0
	folder := filepath.Join(t.TempDir(), "merged")
	other := t.TempDir()
	if _, err := evaluate.OpenStore(other, map[string]string{"seed": "2"}); err != nil {
		t.Fatal(err)
	}
	var wrong *evaluate.StoreError
	_, err := evaluate.MergeStores(folder, []string{other}, map[string]string{"seed": "1"},
		seven(&ran))
	if !errors.As(err, &wrong) || wrong.Folder != other || wrong.Field != "seed" {
		t.Errorf("another seed: %v", err)
	}
	none := filepath.Join(other, "none")
	_, err = evaluate.MergeStores(folder, []string{none}, map[string]string{"seed": "1"}, seven(&ran))
	if !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("no folder: %v", err)
	}
	if _, err := os.Stat(folder); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a refused merge leaves %q, %v", diskfault.Files(t, folder), err)
	}
	if part := evaluate.Shard(seven(&ran), 9, 9); part != nil {
		t.Errorf("the ninth of nine parts of seven cells has %d", len(part))
	}
}
