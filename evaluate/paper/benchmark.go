package paper

import "github.com/pfnamp/pfnamp/evaluate"

// halvings is how many random halvings studies calibrate with.
const halvings = 2

// benchmarkCells is tables 1 and 2 of the paper: every table, every split.
func benchmarkCells(set Setting) []evaluate.Cell {
	set.Functionals = medianAndQ90()
	var cells []evaluate.Cell
	for _, t := range set.Tables {
		local := set.Local()
		methods := func() []evaluate.Method {
			return set.Methods(local, Calibrated{local, halvings})
		}
		cells = append(cells, set.Cells(t, methods, evaluate.Param{Name: "dataset", Value: t.Name})...)
	}
	return cells
}
