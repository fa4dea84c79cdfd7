package explain

import (
	"fmt"
	"slices"

	"github.com/pfnamp/pfnamp/pfn"
	"github.com/pfnamp/pfnamp/tabular"
)

// leastArm is the smallest number of rows of an arm.
const leastArm = 10

// arms are the two values of a treatment.
type arms struct {
	column *column
	values [2]Value
	rows   []int // of the table, those with a value
	of     []int // their arms
	sizes  [2]int
	turned bool // the values of answers are in the other order: codes are in that of content
}

// findArms finds the two values that a column has in rows, and the rows that have one. The error is
// a *tabular.Error where there are not two, or one of them is rare.
func findArms(s *tabular.Schema, t pfn.Training, name string) (*arms, error) {
	c, err := findColumn(s, name)
	if err != nil {
		return nil, err
	}
	a := &arms{column: c}
	wrong := func(msg, hint string) error {
		return &tabular.Error{File: s.File, Column: name, Msg: msg, Hint: hint}
	}
	var codes []float64
	for i := range t.X.Rows {
		v := t.X.Row(i)[c.at]
		if c.lacks(v) {
			continue
		}
		k := slices.Index(codes, v)
		if k < 0 {
			k, codes = len(codes), append(codes, v)
			if k < 2 {
				a.values[k] = c.lend(t.X.Row(i))
			}
		}
		if a.rows, a.of = append(a.rows, i), append(a.of, k); k < 2 {
			a.sizes[k]++
		}
	}
	switch {
	case len(codes) < 2:
		return nil, wrong("all rows have the same value, so there is nothing to compare",
			"name a column with two values, such as yes and no")
	case len(codes) > 2:
		return nil, wrong(fmt.Sprintf("the column has %d values, but a treatment has two arms, such as "+
			"yes and no", len(codes)), "keep the rows with two of the values, or make a column of yes and "+
			"no")
	}
	if codes[0] > codes[1] {
		a.swap()
	}
	a.turned = c.Categories != nil && a.values[0].Text > a.values[1].Text
	for k, n := range a.sizes {
		if n < leastArm {
			return nil, wrong(fmt.Sprintf("only %d rows have the value %s, but an arm needs at least %d",
				n, a.values[k].Text, leastArm), "collect more rows with this value")
		}
	}
	return a, nil
}

func (a *arms) swap() {
	a.values[0], a.values[1] = a.values[1], a.values[0]
	a.sizes[0], a.sizes[1] = a.sizes[1], a.sizes[0]
	for i, k := range a.of {
		a.of[i] = 1 - k
	}
}

// without is a table without the columns of the treatment, whose target is the arm.
func (a *arms) without(t pfn.Training) pfn.Training {
	skip := append([]int{a.column.at}, a.column.parts...)
	var kept []int
	out := pfn.Training{}
	for j := range t.X.Cols {
		if !slices.Contains(skip, j) {
			kept = append(kept, j)
			out.Categorical = append(out.Categorical, j < len(t.Categorical) && t.Categorical[j])
		}
	}
	out.X = t.X.Pick(kept)
	for _, k := range a.of {
		out.Y = append(out.Y, float64(k))
	}
	return out
}

// set gives rows the value of an arm.
func (a *arms) set(x pfn.Matrix, arm int) pfn.Matrix {
	x.Data = append([]float64{}, x.Data...)
	for i := range x.Rows {
		for _, c := range a.values[arm].cells {
			x.Row(i)[c.at] = c.v
		}
	}
	return x
}
