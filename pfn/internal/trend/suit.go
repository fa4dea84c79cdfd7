package trend

// With levels, the residual of a line must be below lineGain times that without, and the residual
// of a kernel's first fit below kernelLevelGain times that without.
const (
	lineGain        = 0.95
	kernelLevelGain = 0.9
)

// fitLevels fits lines with levels, and returns the one with the smallest residual of a
// standardised target, and the target that a member reads. It returns nil if the line without
// levels is hardly worse, or follows a law.
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

// suited are the columns of a kernel, and the residuals of a first fit with them.
type suited struct {
	columns
	levels *Levels
	left   float64
}

// suit finds the columns for targets of mean zero, with the levels of the smallest residual if it
// is clearly smaller than without levels.
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
