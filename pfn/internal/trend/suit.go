package trend

// Levels of a line must leave less than lineGain of what it leaves without them, and those of a
// kernel less than kernelLevelGain of what first fits leave.
const (
	lineGain        = 0.95
	kernelLevelGain = 0.9
)

// fitLevels learns lines with levels, and returns that which leaves the least of a standardised
// target with what a member reads of it; nil if the line without levels leaves hardly more, or
// follows a law.
func fitLevels(z Features, y []float64, line *Trend) (best *Trend, left []float32) {
	if line.law() {
		return nil, nil
	}
	least := lineGain * line.Scale
	for _, levels := range z.choices(lineLevels)[1:] {
		if t, rest := fitLine(z.Matrix, levels, y); t.Scale < least {
			least, best, left = t.Scale, t, rest
		}
	}
	return best, left
}

// suited are the columns of a kernel, and what a first fit with them leaves of the targets.
type suited struct {
	columns
	levels *Levels
	left   float64
}

// suit finds the columns for targets of mean zero, with the levels that leave the least if that is
// clearly less than without.
func suit(z Features, targets [][]float64) *suited {
	best, least := &suited{}, 0.0
	for k, levels := range z.choices(kernelLevels) {
		c, left := suitedColumns(levels.of(z.Matrix), targets)
		if k == 0 || left < least {
			best, least = &suited{c, levels, left}, left
		}
		if k == 0 {
			least = kernelLevelGain * left
		}
	}
	return best
}
