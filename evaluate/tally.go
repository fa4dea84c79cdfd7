package evaluate

import (
	"context"
	"time"

	"github.com/pfnamp/pfnamp/amp"
)

// tally accumulates measures, in the order in which they first come.
type tally struct {
	at     map[Measure]int // by method, functional and metric
	order  []Measure
	values []*Moments
}

func newTally() *tally { return &tally{at: make(map[Measure]int)} }

// add counts one value.
func (t *tally) add(method, functional, metric string, v float64) {
	key := Measure{Method: method, Functional: functional, Metric: metric}
	i, ok := t.at[key]
	if !ok {
		i = len(t.order)
		t.at[key] = i
		t.order = append(t.order, key)
		t.values = append(t.values, new(Moments))
	}
	t.values[i].Add(v)
}

// measures returns the means and their standard errors.
func (t *tally) measures() []Measure {
	all := make([]Measure, len(t.order))
	for i, m := range t.order {
		v := t.values[i]
		m.Value, m.SE, m.N = Number(v.Mean()), Number(v.SE()), v.N()
		all[i] = m
	}
	return all
}

// measure counts coverage, width and time of methods on one task, and returns the intervals by
// method and functional.
func (t *tally) measure(
	ctx context.Context, task *Task, methods []Method, truth answers,
) ([][][]Interval, error) {
	made := make([][][]Interval, len(methods))
	for i, m := range methods {
		start := time.Now()
		var err error
		if made[i], err = m.Intervals(ctx, task, truth.functionals); err != nil {
			return nil, err
		}
		t.score(m.Name(), made[i], truth, time.Since(start))
	}
	return made, nil
}

// score counts the intervals of one method.
func (t *tally) score(name string, made [][]Interval, truth answers, took time.Duration) {
	answered := false
	for k, intervals := range made {
		if intervals == nil {
			continue
		}
		answered = true
		f := truth.functionals[k].String()
		t.add(name, f, "coverage", Coverage(intervals, truth.values[k]))
		t.add(name, f, "width", Width(intervals)/truth.unitOf(k))
	}
	if answered {
		t.add(name, "", "time_s", took.Seconds())
	}
}

// answers are functionals with their true or surrogate values.
type answers struct {
	functionals []amp.Functional
	values      [][]float64 // by functional and row
	unit        float64     // of widths, in units of the label; 1 for probabilities
}

// unitOf is the unit of widths of a functional.
func (a answers) unitOf(k int) float64 {
	if _, ok := a.functionals[k].(amp.Probability); ok {
		return 1
	}
	return a.unit
}
