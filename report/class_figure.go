package report

import (
	"fmt"
	"math"
)

// maxClassPanels is how many classes a figure draws, the most frequent ones.
const maxClassPanels = 4

// shownClasses are the classes that a figure has a line of panels for, the most frequent first. Of
// two classes one tells all.
func (f Figure) shownClasses() []int {
	n := len(f.Classes)
	if n == 2 {
		n = 1
	}
	return byFrequency(len(f.Functionals), f.Rows)[:min(n, maxClassPanels)]
}

// lines lists the functionals that a figure draws, in order.
func (f Figure) lines() []int {
	if f.Classes != nil {
		return f.shownClasses()
	}
	return f.order()
}

// classesLeft says which classes a figure leaves out.
func (f Figure) classesLeft() string {
	if shown := len(f.shownClasses()); len(f.Classes) > 2 && shown < len(f.Classes) {
		return fmt.Sprintf("; the %d most frequent of %d classes", shown, len(f.Classes))
	}
	return ""
}

// classLabelled are the labels that are known: 1 where the label is the class, 0 where it is
// another.
func classLabelled(rows []Row, class int) Series {
	s := Series{Name: "observed: 1 for this class, 0 for another", Mark: Dots, Ink: true}
	for i, r := range rows {
		if math.IsNaN(r.Label) {
			continue
		}
		is := 0.0
		if r.Label == float64(class) {
			is = 1
		}
		s.X, s.Y = append(s.X, float64(i)), append(s.Y, is)
	}
	return s
}
