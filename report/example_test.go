package report_test

import (
	"bytes"
	"fmt"

	"github.com/pfnamp/pfnamp/report"
)

func ExampleFigure() {
	figure := report.Figure{
		Functional: "mean", Target: "progression", Level: 0.9,
		Rows: []report.Row{{Point: 150, Lo: 120, Hi: 180, LabelLo: 60, LabelHi: 260}},
	}
	var svg bytes.Buffer
	fmt.Println(figure.Write(&svg, "svg"), svg.Len() > 0)
	// Output: <nil> true
}
