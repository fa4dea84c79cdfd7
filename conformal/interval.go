package conformal

import "slices"

// Interval is an interval of numbers, Lo <= Hi.
type Interval struct{ Lo, Hi float64 }

// Miss is the score of a number: how far it lies outside the model's central interval, negative
// inside.
func (in Interval) Miss(y float64) float64 { return max(in.Lo-y, y-in.Hi) }

// Interval combines the central intervals that the models without every fold give at a row of a
// group. With R_i the score of row i of the group and k(i) its fold, it reaches from the
// ⌊α(n+1)⌋-th smallest Lo_k(i) - R_i to the ⌈(1-α)(n+1)⌉-th smallest Hi_k(i) + R_i.
func (c *Calibration) Interval(group int, central []Interval) Interval {
	var low, high []float64
	for k, scores := range c.scores[group] {
		for _, r := range scores {
			low, high = append(low, central[k].Lo-r), append(high, central[k].Hi+r)
		}
	}
	slices.Sort(low)
	slices.Sort(high)
	last := c.rank(group)
	first := c.rows[group] + 1 - last // ⌊α(n+1)⌋, α = 1 - level
	in := Interval{low[first-1], high[last-1]}
	if in.Lo > in.Hi { // large negative scores: the model's interval is far too wide
		middle := (in.Lo + in.Hi) / 2
		in = Interval{middle, middle}
	}
	return in
}
