package report

import (
	"fmt"

	"github.com/pfnamp/pfnamp/evaluate"
)

// ClassErrorTable lists results of the study "classes", one row per number of classes: the mean
// distance of predicted probabilities from the true ones, and the excess log loss in nats.
func ClassErrorTable(results []evaluate.Result) *Table {
	t := &Table{Names: 1, Header: []string{"classes", "mean error", "excess log loss"}}
	for _, value := range valuesOf(results, "classes") {
		of := figures{only(results, "classes", value), evaluate.MethodPPD, ""}
		t.Rows = append(t.Rows, []string{value, of.text("error"), of.text("excess_log_loss")})
	}
	return t
}

// ClassCalibrationSections makes the sections on the study "classes", like [CalibrationSections]
// with errors of probabilities first.
func ClassCalibrationSections(results []evaluate.Result, level float64) []Section {
	return append([]Section{
		{Title: "Predicted probabilities", Table: ClassErrorTable(results), Text: []string{
			"Mean error is the mean distance of a predicted probability from the true one. Excess log " +
				"loss is the log loss minus the log loss of the true probabilities, in nats."}},
		{Title: "All data sets", Table: CalibrationTable(results), Text: []string{fmt.Sprintf(
			"The best intervals have the smallest width among those that contain at least %g of the true "+
				"probabilities in every family. Of two classes only the second counts. ", level) +
			scoreText(level)}},
	}, detailSections(results)...)
}
