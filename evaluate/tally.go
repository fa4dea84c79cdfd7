package evaluate

import (
	"context"

	"github.com/pfnamp/pfnamp/amp"
)

// Tally accumulates measures, in the order in which they first come. The zero value is empty.
type Tally struct {
	at     map[Measure]int // by method, functional and metric
	order  []Measure
	values []*Moments
}

// Add counts one value.
func (t *Tally) Add(method, functional, metric string, v float64) {
	key := Measure{Method: method, Functional: functional, Metric: metric}
	i, ok := t.at[key]
	if !ok {
		if t.at == nil {
			t.at = make(map[Measure]int)
		}
		i = len(t.order)
		t.at[key] = i
		t.order = append(t.order, key)
		t.values = append(t.values, new(Moments))
	}
	t.values[i].Add(v)
}

// Measures returns the means and their standard errors.
func (t *Tally) Measures() []Measure {
	all := make([]Measure, len(t.order))
	for i, m := range t.order {
		v := t.values[i]
		m.Value, m.SE, m.N = Number(v.Mean()), Number(v.SE()), v.N()
		all[i] = m
	}
	return all
}

// Asked is a functional under its name in tables, with what intervals should hold: its true values,
// or those of a surrogate.
type Asked struct {
	Name       string
	Functional amp.Functional
	Values     []float64 // by row
	Unit       float64   // of widths
}

// Score counts coverage and width of a method on one task, and returns the intervals by functional
// and row; nil of a functional tells that the method has no answer. Errors are those of the method.
func (t *Tally) Score(
	ctx context.Context, task *Task, m Method, asked []Asked,
) ([][]Interval, error) {
	functionals := make([]amp.Functional, len(asked))
	for k, a := range asked {
		functionals[k] = a.Functional
	}
	made, err := m.Intervals(ctx, task, functionals)
	for k, intervals := range made {
		if intervals != nil {
			t.Add(m.Name(), asked[k].Name, "coverage", Coverage(intervals, asked[k].Values))
			t.Add(m.Name(), asked[k].Name, "width", Width(intervals)/asked[k].Unit)
		}
	}
	return made, err
}
