package heldout

import (
	"fmt"
	"math"

	"github.com/pfnamp/pfnamp/pfn"
)

// shiftRows is the least number of effective rows of a weighted context, in units of
// leastRows.
const shiftRows = 3

// ShiftError reports that too few rows of a context resemble the query rows.
type ShiftError struct {
	Rows      int     // of the context
	Effective float64 // drift.Weights.Effective
	Least     int
	Level     float64
}

// Error returns how many rows resemble the query rows.
func (e *ShiftError) Error() string {
	return fmt.Sprintf("weighted conformal predictions of level %g need %d rows like the query "+
		"rows, and the %d "+
		"rows of context count only like %.0f: the query rows are too different",
		e.Level,
		e.Least, e.Rows, e.Effective)
}

// weigh replaces the calibration by a weighted one, if the promise has weights.
func (c *Conformal) weigh(foldOf []int, scores []float64) error {
	w, level := c.promise.Shift, c.promise.Level
	if w == nil {
		return nil
	}
	least := shiftRows * leastRows(level)
	if w.Effective() < float64(least) {
		return &ShiftError{Rows: len(scores), Effective: w.Effective(), Least: least, Level: level}
	}
	c.weighted = newWeighted(level, foldOf, scores, w.Context)
	return nil
}

// Effective returns how many rows of the context resemble the query rows, NaN without weights.
func (c *Conformal) Effective() float64 {
	if c.promise.Shift == nil {
		return math.NaN()
	}
	return c.promise.Shift.Effective()
}

// weights returns the weights of query rows, nil if all rows count equally.
func (c *Conformal) weights(x pfn.Matrix) []float64 {
	if c.promise.Shift == nil {
		return nil
	}
	return c.promise.Shift.At(x)
}
