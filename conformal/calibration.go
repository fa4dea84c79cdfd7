package conformal

import (
	"math"
	"slices"

	"github.com/pfnamp/pfnamp/folds"
)

// Calibration holds the scores of rows, each from the model that has not read the fold of the row.
// Larger scores are stranger. It does not change, and is safe for concurrent use.
type Calibration struct {
	level  float64
	scores [][][]float64 // in order, by group and fold
	rows   []int         // by group
}

// NewCalibration keeps the scores of rows. foldOf has the fold of every row, 0 to count-1, or a
// number below 0 for a row without a score. groups has the group of every row, 0, 1, ....
func NewCalibration(level float64, count int, foldOf, groups []int, scores []float64) *Calibration {
	c := &Calibration{level: level}
	for _, rows := range folds.ByGroup(groups) {
		sorted := make([][]float64, count)
		scored := 0
		for _, row := range rows {
			if fold := foldOf[row]; fold >= 0 {
				sorted[fold] = append(sorted[fold], scores[row])
				scored++
			}
		}
		for _, of := range sorted {
			slices.Sort(of)
		}
		c.scores, c.rows = append(c.scores, sorted), append(c.rows, scored)
	}
	return c
}

// Groups is the number of groups.
func (c *Calibration) Groups() int { return len(c.rows) }

// Rows is the number of rows of a group.
func (c *Calibration) Rows(group int) int { return c.rows[group] }

// Guarantee is the least probability that the interval or the set of a new row of a group holds its
// label; see [Guarantee].
func (c *Calibration) Guarantee(group int) float64 {
	n := c.rows[group]
	return Guarantee(c.level, float64(n), float64(min(n, len(c.scores[group]))))
}

// rank is the place ⌈level·(n+1)⌉ of the largest score that is usual in a group.
func (c *Calibration) rank(group int) int {
	return max(1, int(math.Ceil(c.level*float64(c.rows[group]+1)-tiny)))
}
