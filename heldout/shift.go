package heldout

import (
	"fmt"
	"math"
	"slices"

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

// weights returns the weights of the rows of a context, nil if all count equally.
func (p Promise) weights(rows int) ([]float64, error) {
	if p.Shift == nil {
		return nil, nil
	}
	e := &ShiftError{Rows: rows, Effective: p.Shift.Effective(),
		Least: shiftRows * leastRows(p.Level), Level: p.Level}
	if e.Effective < float64(e.Least) {
		return nil, e
	}
	return p.Shift.Context, nil
}

// Effective returns how many rows of the context resemble the query rows, NaN without weights.
func (c *Conformal) Effective() float64 {
	if c.promise.Shift == nil {
		return math.NaN()
	}
	return c.promise.Shift.Effective()
}

// weights returns the weights of query rows, 1 if all rows count equally.
func (c *Conformal) weights(x pfn.Matrix) []float64 {
	if c.promise.Shift == nil {
		return slices.Repeat([]float64{1}, x.Rows)
	}
	return c.promise.Shift.At(x)
}
