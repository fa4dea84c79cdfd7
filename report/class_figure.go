package report

import (
	"fmt"
	"math"
)

// maxClassPanels is the largest number of classes in a figure.
const maxClassPanels = 4

// shownClasses lists the classes that a figure draws, the most frequent first. Of two classes it
// draws one, as the other one's probability is 1 minus it.
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
	s := Series{Name: "observed (1: this class, 0: another)", Mark: Dots, Ink: true}
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
