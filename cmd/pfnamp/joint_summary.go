package main

import (
	"fmt"
	"math"
	"strings"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/memory"

	"github.com/pfnamp/pfnamp/amp"
	"github.com/pfnamp/pfnamp/tabular"
)

// average is the mean of the functionals over some rows, and its posterior draws.
type average struct {
	rows   int
	points []float64   // sums, by functional
	draws  [][]float64 // sums, by functional and draw
}

// add counts a row.
func (a *average) add(points []float64, coupled [][]float64) {
	if a.draws == nil {
		a.points, a.draws = make([]float64, len(points)), make([][]float64, len(coupled))
		for f, draws := range coupled {
			a.draws[f] = make([]float64, len(draws))
		}
	}
	a.rows++
	for f, draws := range coupled {
		a.points[f] += points[f]
		for b, v := range draws {
			a.draws[f][b] += v
		}
	}
}

// averages are the sets of rows that the summary is about.
type averages struct {
	opt    jointOptions
	all    average
	rows   map[int64]*average // rows that a contrast names
	groups map[string]*average
	order  []string // groups, as they come
	seen   int64    // rows so far
	lost   int64    // rows without a group
}

// maxGroups bounds the memory of groups: a group takes 8 bytes per draw and functional.
const maxGroups = 10_000

func newAverages(opt jointOptions) *averages {
	a := &averages{opt: opt, rows: map[int64]*average{}, groups: map[string]*average{}}
	for _, c := range opt.contrasts {
		for _, t := range []rowSet{c.plus, c.minus} {
			if t.row > 0 {
				a.rows[t.row] = new(average)
			}
		}
	}
	return a
}

// add counts a row with its group, "" for none.
func (a *averages) add(group string, points []float64, coupled [][]float64) error {
	a.seen++
	a.all.add(points, coupled)
	if at, ok := a.rows[a.seen]; ok {
		at.add(points, coupled)
	}
	switch {
	case a.opt.groupBy == "":
		return nil
	case group == "":
		a.lost++
		return nil
	}
	of, ok := a.groups[group]
	if !ok {
		if len(a.order) == maxGroups {
			return &tabular.Error{Column: a.opt.groupBy, Limit: true,
				Msg:  fmt.Sprintf("more than %d groups", maxGroups),
				Hint: "group by a column with fewer values"}
		}
		of = new(average)
		a.groups[group], a.order = of, append(a.order, group)
	}
	of.add(points, coupled)
	return nil
}

// find returns the average of a term.
func (a *averages) find(t rowSet, c contrast) (*average, error) {
	switch {
	case t.all:
		return &a.all, nil
	case t.row > a.seen:
		return nil, &usageError{msg: fmt.Sprintf("--contrast %s: there is no row %d, TEST has %s",
			quote(c.text), t.row, count(int(a.seen), "row"))}
	case t.row > 0:
		return a.rows[t.row], nil
	}
	if of, ok := a.groups[t.group]; ok {
		return of, nil
	}
	some := a.order[:min(10, len(a.order))]
	return nil, &usageError{
		msg: fmt.Sprintf("--contrast %s: no row has %s in column %q",
			quote(c.text), quote(t.group), a.opt.groupBy),
		hint: "its values are " + strings.Join(some, ", ") + map[bool]string{true: ", ..."}[len(
			some) < len(a.order)],
	}
}

// effect is a line of the summary: an average, or a difference of two.
type effect struct {
	name     string
	rows     int // 0 for a difference
	points   []float64
	draws    [][]float64
	contrast bool
}

// effects lists the lines: all rows, groups, contrasts.
func (a *averages) effects() ([]effect, error) {
	if a.seen == 0 && len(a.opt.contrasts) == 0 {
		return nil, nil
	}
	list := []effect{a.all.effect("all")}
	for _, name := range a.order {
		list = append(list, a.groups[name].effect(name))
	}
	for _, c := range a.opt.contrasts {
		plus, err := a.find(c.plus, c)
		if err != nil {
			return nil, err
		}
		minus, err := a.find(c.minus, c)
		if err != nil {
			return nil, err
		}
		difference, other := plus.effect(c.text), minus.effect("")
		difference.rows, difference.contrast = 0, true
		for f := range difference.points {
			difference.points[f] -= other.points[f]
			for b, v := range other.draws[f] {
				difference.draws[f][b] -= v
			}
		}
		list = append(list, difference)
	}
	return list, nil
}

// effect divides sums by the number of rows.
func (a *average) effect(name string) effect {
	e := effect{name: name, rows: a.rows}
	n := float64(a.rows)
	for f, sums := range a.draws {
		e.points = append(e.points, a.points[f]/n)
		draws := make([]float64, len(sums))
		for b, sum := range sums {
			draws[b] = sum / n
		}
		e.draws = append(e.draws, draws)
	}
	return e
}

// summaryFields are the columns of the summary.
func summaryFields(opt predictOptions) []arrow.Field {
	fields := []arrow.Field{
		{Name: "of", Type: arrow.BinaryTypes.String},
		{Name: "rows", Type: arrow.PrimitiveTypes.Int64, Nullable: true},
	}
	for _, functional := range opt.functionals {
		name := opt.prefix + functional.String()
		for _, column := range []string{name, name + "_lo", name + "_hi", name + "_above0"} {
			fields = append(fields,
				arrow.Field{Name: column, Type: arrow.PrimitiveTypes.Float64, Nullable: true})
		}
	}
	return fields
}

// summaryRecord makes the lines of the summary.
func summaryRecord(schema *arrow.Schema, list []effect, opt predictOptions) arrow.RecordBatch {
	builder := array.NewRecordBuilder(memory.DefaultAllocator, schema)
	defer builder.Release()
	for _, e := range list {
		builder.Field(0).(*array.StringBuilder).Append(e.name)
		rows := builder.Field(1).(*array.Int64Builder)
		if e.contrast {
			rows.AppendNull()
		} else {
			rows.Append(int64(e.rows))
		}
		for f, draws := range e.draws {
			lo, hi := amp.CredibleInterval(draws, opt.level, opt.interval)
			for i, v := range []float64{e.points[f], lo, hi, above(draws, e.contrast)} {
				column := builder.Field(2 + 4*f + i).(*array.Float64Builder)
				if math.IsNaN(v) {
					column.AppendNull()
				} else {
					column.Append(v)
				}
			}
		}
	}
	return builder.NewRecordBatch()
}

// above is the share of draws above 0, ties by half; NaN for what is no difference.
func above(draws []float64, contrast bool) float64 {
	if !contrast {
		return math.NaN()
	}
	sum := 0.0
	for _, v := range draws {
		switch {
		case v > 0:
			sum++
		case v == 0:
			sum += 0.5
		}
	}
	return sum / float64(len(draws))
}
