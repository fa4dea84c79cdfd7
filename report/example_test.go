package report_test

import (
	"bytes"
	"fmt"

	"github.com/pfnamp/pfnamp/report"
)

func ExampleFigure() {
	figure := report.Figure{
		Asked: report.Asked{Functionals: []string{"mean"}, Events: []bool{false},
			Target: "progression", Level: 0.9},
		Rows: []report.Row{{At: 1, LabelLo: 60, LabelHi: 260, Label: 170,
			Estimates: []report.Estimate{{Point: 150, Lo: 120, Hi: 180}}}},
	}
	var svg bytes.Buffer
	fmt.Println(figure.Write(&svg, "svg"), svg.Len() > 0)
	// Output: <nil> true
}
