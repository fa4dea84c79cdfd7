package joint

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/gonum/floats"

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
		floats.Add(a.draws[f], draws)
	}
}

// Averages are the averages of functionals over sets of coupled rows: all rows, groups, and the
// rows that contrasts name. You add rows one by one. Averages keeps sums and no rows.
type Averages struct {
	// Memory bounds the bytes that groups may take, 0 for any.
	Memory int64
	Lost   int // rows without a group so far, where there are groups

	groupBy   string // name of the column of groups, "" for none
	contrasts []Contrast
	sets      map[RowSet]*average // all rows, rows that a contrast names, and groups
	order     []string            // groups, as they come
	last      int64               // number of the last row so far
}

// maxGroups bounds the memory of groups: a group takes 8 bytes per draw and functional.
const maxGroups = 10_000

// NewAverages starts averages; groupBy names the column whose values make groups, "" for none.
func NewAverages(groupBy string, contrasts []Contrast) *Averages {
	a := &Averages{groupBy: groupBy, contrasts: contrasts,
		sets: map[RowSet]*average{{All: true}: {}}}
	for _, c := range contrasts {
		for _, t := range []RowSet{c.Plus, c.Minus} {
			if t.Row > 0 {
				a.sets[t] = new(average)
			}
		}
	}
	return a
}

// Add adds a row and its group, "" for none. The error is a *tabular.Error about too many groups.
func (a *Averages) Add(group string, row Row) error {
	a.last = cmp.Or(row.Number, a.last+1)
	a.sets[RowSet{All: true}].add(row.Points, row.Together)
	if at, ok := a.sets[RowSet{Row: a.last}]; ok {
		at.add(row.Points, row.Draws)
	}
	switch {
	case a.groupBy == "":
		return nil
	case group == "":
		a.Lost++
		return nil
	}
	of, ok := a.sets[RowSet{Group: group}]
	if !ok {
		if err := a.checkGroups(row); err != nil {
			return err
		}
		of = new(average)
		a.sets[RowSet{Group: group}], a.order = of, append(a.order, group)
	}
	of.add(row.Points, row.Together)
	return nil
}

// checkGroups refuses one group more than there may be.
func (a *Averages) checkGroups(row Row) error {
	e := &tabular.Error{Column: a.groupBy, Limit: true, Hint: "group by a column with fewer values"}
	values := len(row.Points)
	for _, draws := range row.Draws {
		values += len(draws)
	}
	switch bytes := int64(len(a.order)+1) * int64(8*values); {
	case len(a.order) == maxGroups:
		e.Msg = fmt.Sprintf("more than %d groups", maxGroups)
	case a.Memory > 0 && bytes > a.Memory:
		e.Msg = fmt.Sprintf("more than %d groups, of %d values each, take more than %d MiB",
			len(a.order), values, a.Memory>>20)
		e.Hint += ", or ask for fewer draws or functionals"
	default:
		return nil
	}
	return e
}

func (a *Averages) find(t RowSet, c Contrast) (*average, error) {
	if t.Row > 0 && a.sets[t].rows == 0 {
		return nil, &ContrastError{Text: c.Text, Fault: NoSuchRow, Msg: fmt.Sprintf(
			": row %d is not predicted: the last one is row %d", t.Row, a.last)}
	}
	if of, ok := a.sets[t]; ok {
		return of, nil
	}
	some := a.order[:min(10, len(a.order))]
	hint := "its values are " + strings.Join(some, ", ")
	if len(some) < len(a.order) {
		hint += ", ..."
	}
	return nil, &ContrastError{Text: c.Text, Fault: NoSuchGroup, Hint: hint,
		Msg: fmt.Sprintf(": no row has %q in column %q", t.Group, a.groupBy)}
}

// Effect is an average of functionals over rows, or the difference of two, with its joint posterior
// draws.
type Effect struct {
	Name     string
	Rows     int  // that it averages, 0 for a difference
	Contrast bool // it is a difference
	Points   []float64
	Draws    [][]float64 // by functional, as many as the coupling has
}

// Effects lists the averages over all rows and every group, then the contrasts. There are none
// without rows. The error is a *ContrastError.
func (a *Averages) Effects() ([]Effect, error) {
	list := []Effect{a.sets[RowSet{All: true}].effect("all")}
	for _, name := range a.order {
		list = append(list, a.sets[RowSet{Group: name}].effect(name))
	}
	for _, c := range a.contrasts {
		plus, err := a.find(c.Plus, c)
		if err != nil {
			return nil, err
		}
		minus, err := a.find(c.Minus, c)
		if err != nil {
			return nil, err
		}
		list = append(list, plus.effect(c.Text).minus(minus.effect("")))
	}
	if a.last == 0 {
		return nil, nil
	}
	return list, nil
}

// effect divides sums by the number of rows.
func (a *average) effect(name string) Effect {
	e := Effect{Name: name, Rows: a.rows}
	n := float64(a.rows)
	for f, sums := range a.draws {
		e.Points = append(e.Points, a.points[f]/n)
		draws := make([]float64, len(sums))
		for b, sum := range sums {
			draws[b] = sum / n
		}
		e.Draws = append(e.Draws, draws)
	}
	return e
}

// minus is the difference of two averages, draw by draw.
func (e Effect) minus(other Effect) Effect {
	e.Rows, e.Contrast = 0, true
	for f := range e.Points {
		e.Points[f] -= other.Points[f]
		floats.Sub(e.Draws[f], other.Draws[f])
	}
	return e
}

// Estimate returns the point estimate of functional f and its credible interval, which holds the
// point. Its standard errors are NaN: they are not estimated.
func (e Effect) Estimate(f int, level float64, kind amp.IntervalKind) amp.Estimate {
	lo, hi := amp.CredibleInterval(slices.Clone(e.Draws[f]), level, kind)
	at := amp.Estimate{Point: e.Points[f], Lo: lo, Hi: hi, LoSE: math.NaN(), HiSE: math.NaN()}
	return at.Holding(at.Point)
}

// Above is the posterior probability that functional f of a difference is above 0: the share of the
// draws above 0, ties by half. If all N draws agree, it is 1/(2N) or 1 - 1/(2N), because N draws
// cannot tell this probability from 0 or 1.
func (e Effect) Above(f int) float64 {
	sum := 0.0
	for _, v := range e.Draws[f] {
		switch {
		case v > 0:
			sum++
		case v == 0:
			sum += 0.5
		}
	}
	n := float64(len(e.Draws[f]))
	return min(max(sum, 0.5), n-0.5) / n
}
