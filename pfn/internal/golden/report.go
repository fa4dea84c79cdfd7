package golden

import (
	"math"
	"slices"
	"strings"
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

// OK reports whether every stage of every case is within its tolerance.
func (r Report) OK() bool {
	return len(r.Cases) > 0 && !slices.ContainsFunc(r.Cases, func(c CaseReport) bool {
		return slices.ContainsFunc(c.Stages, func(s StageReport) bool { return !s.OK })
	})
}

// CaseReport holds the stages of one golden case in the order of the computation.
type CaseReport struct {
	Name   string
	Stages []StageReport
}

// StageReport compares one stage with what the exporter's implementation computed.
type StageReport struct {
	Name      string
	MaxDiff   float64 // largest Difference, in the units of Tolerance
	Tolerance float64
	OK        bool
}

// Add appends a stage.
func (c *CaseReport) Add(name string, diff, tolerance float64) {
	c.Stages = append(c.Stages, StageReport{name, diff, tolerance, diff <= tolerance})
}

// Loosen raises the tolerance of the stages with such names, or names that go on with a colon.
func (c *CaseReport) Loosen(tolerance float64, names ...string) {
	for i := range c.Stages {
		s := &c.Stages[i]
		name, _, _ := strings.Cut(s.Name, ":")
		if slices.Contains(names, name) {
			s.Tolerance = max(s.Tolerance, tolerance)
			s.OK = s.MaxDiff <= s.Tolerance
		}
	}
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

// CellDifference is Difference for rows of Cells; a missing Cell must be missing.
func CellDifference(got []float32, want [][]Cell) float64 {
	flat := slices.Concat(want...)
	if len(flat) != len(got) {
		return math.Inf(1)
	}
	var worst float64
	for i, w := range flat {
		v, x := float64(w), float64(got[i])
		switch {
		case math.IsNaN(v) != math.IsNaN(x):
			return math.Inf(1)
		case !math.IsNaN(v):
			worst = math.Max(worst, math.Abs(x-v)/math.Max(1, math.Abs(v)))
		}
	}
	return worst
}
