package report

import (
	"fmt"

	"github.com/pfnamp/pfnamp/evaluate"
)

// ClassErrorTable has a row per number of classes of the study "classes": how far predicted
// probabilities are from the true ones.
func ClassErrorTable(results []evaluate.Result) *Table {
	t := &Table{Names: 1, Header: []string{"classes", "mean error", "excess log loss"}}
	for _, value := range valuesOf(results, "classes") {
		of := figures{only(results, "classes", value), evaluate.MethodPPD, ""}
		t.Rows = append(t.Rows, []string{value, of.text("error"), of.text("excess_log_loss")})
	}
	return t
}

// ClassCalibrationSections reports the study "classes", as CalibrationSections does the study
// "calibration".
func ClassCalibrationSections(results []evaluate.Result, level float64) []Section {
	return append([]Section{
		{Title: "Predicted probabilities", Table: ClassErrorTable(results), Text: []string{
			"The mean distance of a predicted probability from the true one, and the log loss in excess " +
				"of that of the true probabilities, in nats."}},
		{Title: "All data sets", Table: CalibrationTable(results), Text: []string{fmt.Sprintf(
			"The aim is a coverage of %g of the true probabilities in every family, at the smallest "+
				"width. Of two classes the second one's probability counts, of four all. The score is "+
				"the width plus %.3g times the distance of a truth outside the interval.", level,
			2/(1-level))}},
	}, detailSections(results)...)
}
