package golden

import (
	"cmp"
	"math"
	"slices"
)

// Report says how far a model is from its golden vectors.
type Report struct {
	Cases []CaseReport
	// Precision is that of the network. Unless it is float32, Tolerance is the
	// least tolerance of networks and results, and Recorded says whether the bundle has it.
	Precision string
	Tolerance float64
	Recorded  bool
}

// OK reports whether every case is within its tolerances.
func (r Report) OK() bool {
	return len(r.Cases) > 0 &&
		!slices.ContainsFunc(r.Cases, func(c CaseReport) bool { return !c.OK() })
}

// CaseReport holds what is compared of one golden case: the members, the output of the network and
// parts of the result.
type CaseReport struct {
	Name  string
	Parts []PartReport
}

// OK reports whether every part is within its tolerance.
func (c CaseReport) OK() bool {
	return len(c.Parts) > 0 && !slices.ContainsFunc(c.Parts, func(p PartReport) bool { return !p.OK })
}

// Worst returns the part that is furthest beyond its tolerance, or nearest to it.
func (c CaseReport) Worst() PartReport {
	return slices.MaxFunc(c.Parts, func(a, b PartReport) int {
		return cmp.Compare(a.share(), b.share())
	})
}

// PartReport compares one part with what the exporter's implementation computed.
type PartReport struct {
	Name      string
	MaxDiff   float64 // largest Difference, in the units of Tolerance; NaN for a result that is NaN
	Tolerance float64
	OK        bool
}

// share returns the difference in units of the tolerance, +Inf if it is not finite.
func (p PartReport) share() float64 {
	switch {
	case p.MaxDiff == 0:
		return 0
	case math.IsNaN(p.MaxDiff):
		return math.Inf(1)
	}
	return p.MaxDiff / p.Tolerance
}

// Add raises the difference of a part.
func (c *CaseReport) Add(name string, diff, tolerance float64) {
	at := slices.IndexFunc(c.Parts, func(p PartReport) bool { return p.Name == name })
	if at < 0 {
		at = len(c.Parts)
		c.Parts = append(c.Parts, PartReport{Name: name})
	}
	most := math.Max(c.Parts[at].MaxDiff, diff)
	c.Parts[at] = PartReport{name, most, tolerance, most <= tolerance}
}

// Same reports whether the members of an ensemble are those of a case.
func Same(members, want []Member) bool {
	return slices.EqualFunc(members, want, func(b, c Member) bool { return b.is(&c) })
}

// Difference returns the largest |got - want| / max(1, |want|), +Inf if lengths differ.
func Difference(got, want []float64) float64 {
	if len(got) != len(want) {
		return math.Inf(1)
	}
	var worst float64
	for i, w := range want {
		worst = math.Max(worst, math.Abs(got[i]-w)/math.Max(1, math.Abs(w)))
	}
	return worst
}
