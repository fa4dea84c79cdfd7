package evaluate

import (
	"context"
	"time"

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

// Score counts coverage, width and time of methods on one task, and returns the intervals by
// method, functional and row; nil of a functional tells that the method has no answer. Errors are
// those of the methods.
func (t *Tally) Score(
	ctx context.Context, task *Task, methods []Method, truth Truth,
) ([][][]Interval, error) {
	made := make([][][]Interval, len(methods))
	for i, m := range methods {
		start := time.Now()
		var err error
		if made[i], err = m.Intervals(ctx, task, truth.Functionals); err != nil {
			return nil, err
		}
		t.count(m.Name(), made[i], truth, time.Since(start))
	}
	return made, nil
}

func (t *Tally) count(name string, made [][]Interval, truth Truth, took time.Duration) {
	answered := false
	for k, intervals := range made {
		if intervals == nil {
			continue
		}
		answered = true
		f := truth.Names[k]
		t.Add(name, f, "coverage", Coverage(intervals, truth.Values[k]))
		t.Add(name, f, "width", Width(intervals)/truth.unitOf(k))
	}
	if answered {
		t.Add(name, "", "time_s", took.Seconds())
	}
}

// Truth is what intervals should hold: functionals with their true or surrogate values.
type Truth struct {
	Functionals []amp.Functional
	Names       []string    // of the functionals
	Values      [][]float64 // by functional and row
	Unit        float64     // of widths, in units of the label; probabilities have none
}

// unitOf is the unit of widths of a functional.
func (a Truth) unitOf(k int) float64 {
	if a.Functionals[k].Unit() == amp.ProbabilityUnit {
		return 1
	}
	return a.Unit
}
