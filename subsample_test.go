package pfnamp

import (
	"errors"
	"strings"
	"testing"

	"github.com/pfnamp/pfnamp/models"
	"github.com/pfnamp/pfnamp/pfn"
	"github.com/pfnamp/pfnamp/tabular"
)

// An error about a row of a drawn context names the row of the table.
func TestDrawnRowsAreLocated(t *testing.T) {
	training := Training{Options: FitOptions{Target: "y", Subsample: 3, Seed: 4},
		Schema: &tabular.Schema{File: "t.csv", Columns: []tabular.Column{{Name: "a"}, {Name: "b"}}},
		Data: pfn.Training{Y: []float64{0, 10, 20, 30, 40, 50}, X: pfn.Matrix{Rows: 6, Cols: 2,
			Data: []float64{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}}}}
	training.arrange(models.Manifest{})
	x, y := training.Data.X, training.Data.Y
	if x.Rows != 3 || len(x.Data) != 6 || len(y) != 3 || len(training.Warnings) != 1 {
		t.Fatalf("%d rows, %d values, %d targets", x.Rows, len(x.Data), len(y))
	}
	last := int64(0)
	for i := range 3 {
		err := training.locate(&pfn.InputError{Row: i, Col: 1, Msg: "odd"})
		e, ok := errors.AsType[*tabular.Error](err)
		if !ok || e.Row <= last || y[i] != float64(10*(e.Row-1)) || x.Data[2*i+1] != float64(2*e.Row-1) ||
			e.Column != "b" || e.File != "t.csv" {
			t.Errorf("row %d: %v; %v %g", i, err, x.Data[2*i:2*i+2], y[i])
		}
		last = e.Row
	}
	whole := training.locate(&pfn.InputError{Row: -1, Col: -1, Msg: "odd"})
	target := training.locate(&pfn.InputError{Row: 0, Col: -1, Msg: "odd"})
	if whole.Error() != "t.csv: odd" || errors.Unwrap(target) != nil ||
		target.(*tabular.Error).Column != "y" {
		t.Errorf("%v; %v", whole, target)
	}
}

// Trees do not read a table of many classes, and the note on its context says so.
func TestManyClassesAreDrawn(t *testing.T) {
	training := Training{Schema: &tabular.Schema{}, Target: TargetSummary{Counts: make([]int, 101)},
		Data: pfn.Training{Y: make([]float64, 202), X: pfn.Matrix{Rows: 202, Cols: 1,
			Data: make([]float64, 202)}}}
	training.arrange(models.Manifest{Limits: models.Limits{MaxRows: 20, MaxFeatures: 200}})
	if w := training.Warnings; len(w) != 1 || !strings.HasSuffix(w[0].Text, "; the others are not "+
		"read: boosted trees take up to 100 classes, and the target has 101. Merge rare classes to use "+
		"all rows") {
		t.Error(w)
	}
}
